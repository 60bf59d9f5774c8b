import type { Connection } from '../connection.ts';
import type { RedpenError } from '../errors.ts';
import { newId } from '../ids.ts';
import { persevere } from './away.ts';
import { browserLocks } from './browser.ts';
import { identify, latestIdentity, OTHER_USER } from './identity.ts';
import { deliver } from './outbox-send.ts';
import { defaultStorage, type OutboxStorage, type StoredWrite } from './outbox-storage.ts';

type NewWrite = Pick<StoredWrite, 'place' | 'lane' | 'sequence' | 'path' | 'data'>;

/** A write of an earlier page that was refused, or that is too old to be sent. */
export type UnsentWrite = Pick<StoredWrite, 'id' | 'path' | 'data' | 'at'> & {
  error: NonNullable<StoredWrite['error']>;
};

type Unsent = StoredWrite & UnsentWrite;

/** `isOver`: the write is no longer tried; `isDone`: it was carried out. */
export type OutboxWatcher = (write: StoredWrite, isOver: boolean, isDone: boolean) => void;

/** Sends writes for as long as it takes, those of a lane one after the other. */
export interface Outbox {
  /** Writes that have no answer yet. */
  readonly pending: readonly StoredWrite[];
  readonly unsent: readonly Unsent[];
  watch(signal: AbortSignal, watcher: OutboxWatcher): void;
  /** Settles with the answer of the service. */
  write(given: NewWrite): Promise<unknown>;
  /** Sends what pages and tabs that are closed have left. */
  adopt(): void;
  /** Forgets an unsent write. */
  discard(id: string): Promise<void>;
}

const outboxes = new WeakMap<Connection, Outbox>();

/** The outbox of a client, which its stores share. */
export function outboxOf(connection: Connection): Outbox {
  const outbox = outboxes.get(connection) ?? newOutbox(connection);
  outboxes.set(connection, outbox);
  return outbox;
}

function newOutbox(connection: Connection): Outbox {
  const storage = connection.options.outbox ?? defaultStorage();
  const queue = newQueue(connection, storage);
  const tab = newId();
  const known = new Set([tab]);
  const channel = globalThis.indexedDB && new BroadcastChannel('redpen-outbox');
  let held: Promise<void> | undefined;
  let lastAt = 0;

  /** Keeps a write for a later page. If that fails, it is sent all the same. */
  async function keep(write: StoredWrite): Promise<void> {
    // Not that of the next token: another user may have it.
    const late = () => latestIdentity(connection) ?? persevere(() => identify(connection));
    write.owner = (await identify(connection).catch(late)).owner;
    // Other tabs wait for the lock of this one, and get it when this one is gone.
    held ??= new Promise((resolve) => {
      withLock(tab, () => new Promise<void>(() => resolve())).catch(resolve);
    });
    await held;
    await storage.put(write);
    channel?.postMessage(0);
  }

  /** Sends what one tab has left, in its order. */
  async function adoptFrom(from: string, load: () => Promise<StoredWrite[]>): Promise<void> {
    const left = (await load()).filter((write) => write.tab === from).sort((a, b) => a.at - b.at);
    let before: Promise<unknown> | undefined;
    for (const write of left) {
      if (isUnsent(write)) queue.report(write);
      else before = queue.add(write, before, false).catch(() => {});
    }
    await before;
  }

  async function adoptAll(): Promise<void> {
    const { owner } = await persevere(() => identify(connection));
    queue.unsent = queue.unsent.filter((write) => write.owner === owner);
    const load = async () => (await storage.all()).filter((write) => write.owner === owner);
    for (const { tab: from } of await load()) {
      if (known.has(from)) continue;
      known.add(from);
      withLock(from, () => adoptFrom(from, load)).catch(() => known.delete(from));
    }
  }

  const adopt = () => void adoptAll().catch(() => {});
  if (channel) channel.onmessage = adopt;
  return {
    get pending() {
      return queue.pending;
    },
    get unsent() {
      return queue.unsent;
    },
    adopt,
    watch(signal, watcher) {
      queue.watchers.add(watcher);
      signal.addEventListener('abort', () => queue.watchers.delete(watcher));
    },
    write(given) {
      // Later than those before it, whatever the clock does.
      lastAt = Math.max(Date.now(), lastAt + 1);
      const write = { ...given, id: newId(), owner: '', tab, at: lastAt };
      return queue.add(write, keep(write), true);
    },
    discard: queue.discard,
  };
}

/** Writes that are being sent, and those that could not be. */
function newQueue(connection: Connection, storage: OutboxStorage) {
  const lanes = new Map<string, Promise<unknown>>();
  const watchers = new Set<OutboxWatcher>();
  const queue = { pending: [] as StoredWrite[], unsent: [] as Unsent[], watchers, add, report, discard };

  const tell: OutboxWatcher = (...news) => {
    for (const watcher of [...watchers]) watcher(...news);
  };

  function add(write: StoredWrite, before: Promise<unknown> | undefined, isOwn: boolean): Promise<unknown> {
    const { place, sequence } = write;
    const own = [`${place} lane ${write.lane}`, ...(sequence ? [`${place} sequence ${sequence}`] : [])];
    const turn = Promise.allSettled([before, ...own.map((lane) => lanes.get(lane))]);
    const answer = turn.then(() => deliver(connection, write));
    const over = answer.then(
      () => settle(write, isOwn),
      (error: RedpenError) => settle(write, isOwn, error),
    );
    for (const lane of own) lanes.set(lane, over);
    queue.pending.push(write);
    tell(write, false, false);
    return over.then(() => answer);
  }

  async function settle(write: StoredWrite, isOwn: boolean, error?: RedpenError): Promise<void> {
    queue.pending = queue.pending.filter((one) => one !== write);
    // What another user has written waits until they are back.
    const isKept = error?.code === OTHER_USER;
    if (error && !isKept && !isOwn) {
      const failed = { ...write, error: { status: error.status, message: error.message } };
      report(failed, write);
      await storage.put(failed).catch(() => {});
      return;
    }
    tell(write, true, !error);
    if (!isKept) await storage.delete(write.id).catch(() => {});
  }

  function report(unsent: Unsent, write: StoredWrite = unsent): void {
    queue.unsent = [...queue.unsent, unsent];
    tell(write, true, false);
  }

  async function discard(id: string): Promise<void> {
    const write = queue.unsent.find((one) => one.id === id);
    queue.unsent = queue.unsent.filter((one) => one !== write);
    if (write) tell(write, true, false);
    await storage.delete(id);
  }

  return queue;
}

const isUnsent = (write: StoredWrite): write is Unsent => write.error !== undefined;

/** Without locks, writes that two tabs send are still carried out once, because of their keys. */
const withLock = async (tab: string, work: () => Promise<void>): Promise<void> => {
  const locks = browserLocks();
  await (locks ? locks.request(`redpen-writes ${tab}`, work) : work());
};
