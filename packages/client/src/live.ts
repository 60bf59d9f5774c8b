import { type Connection, unanswered } from './connection.ts';
import { lazy } from './lazy.ts';
import type { NotificationsQuery, NotificationsStore } from './stores/notifications.ts';
import type { PresenceQuery, PresenceStore } from './stores/presence.ts';
import type { RunStore } from './stores/run.ts';
import type { Store } from './stores/store.ts';
import type { ThreadsQuery, ThreadsStore } from './stores/threads.ts';

/** Stores whose state is kept up to date by live events, from their first subscriber to the last. */
export interface LiveStores {
  /** The threads of a document, with conditions as in `annotations.list`. */
  threads(query: ThreadsQuery): ThreadsStore;
  /** The notifications of the user. */
  notifications(query: NotificationsQuery): NotificationsStore;
  /** The users who are present on a document. */
  presence(query: PresenceQuery): PresenceStore;
  /** A run of an agent. */
  run(executionId: string): RunStore;
}

/** The states before anything is read, and the methods of the stores. */
const KINDS = {
  threads: [
    { threads: [], pending: 0, unsent: [] },
    'add reply editComment deleteComment update delete react unreact markRead discard',
  ],
  notifications: [{ notifications: [], unread: 0, unsent: [] }, 'markRead markAllRead discard'],
  presence: [{ users: [] }, 'join update leave'],
  run: [{ lines: [], findings: [] }, 'cancel'],
} as const;

type AnyStore = Store<object>;

/** Stands for a store until its code is loaded, which the first subscription or method starts. */
class LazyStore implements AnyStore {
  #before: object;
  #open: () => Promise<AnyStore>;
  #loaded: AnyStore | undefined;
  #loading: Promise<AnyStore> | undefined;

  constructor(initial: object, methods: string, open: () => Promise<AnyStore>) {
    this.#before = initial;
    this.#open = open;
    Object.assign(
      this,
      lazy(() => this.#loaded ?? this.#load(), methods),
    );
  }

  /** Browsers remember that a module could not be loaded, so only a new page can try again. */
  #load(): Promise<AnyStore> {
    this.#loading ??= this.#open().then((store) => {
      this.#loaded = store;
      return store;
    });
    return this.#loading;
  }

  // Functions of the object itself: each works alone, and keeps the store in use.
  get = () => this.#loaded?.get() ?? this.#before;

  subscribe = (listener: () => void) => {
    let isOver = false;
    const own = () => isOver || listener();
    const subscribed = this.#load().then(
      (store) => store.subscribe(own),
      (thrown: unknown) => {
        this.#before = { ...this.#before, status: 'failed', error: unanswered(thrown) };
      },
    );
    // The state may have changed since the caller has asked for it.
    void subscribed.then(own);
    return () => {
      isOver = true;
      void subscribed.then((stop) => stop?.());
    };
  };
}

/** The same query has the same store while it is in use. */
export function liveOf(connection: Connection): LiveStores {
  const known: Record<string, WeakRef<AnyStore>> = {};
  const kinds = Object.entries(KINDS).map(([kind, [state, methods]]) => [
    kind,
    (query: unknown) => {
      const initial = { status: 'loading', ...state };
      // The order of the fields does not matter.
      const key = kind + JSON.stringify(Object.entries(query as object).sort());
      const store =
        known[key]?.deref() ??
        new LazyStore(initial, methods, async () =>
          (await import('./stores/openers.ts')).openStore(kind, connection, query, initial),
        );
      known[key] = new WeakRef(store);
      return store;
    },
  ]);
  return Object.fromEntries(kinds) as LiveStores;
}
