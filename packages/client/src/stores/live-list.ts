import { type Connection, unanswered } from '../connection.ts';
import type { EventsQuery } from '../events.ts';
import type { LiveEvent } from '../live-events.ts';
import type { User } from '../operations.ts';
import { sleep } from '../waiting.ts';
import { persevere } from './away.ts';
import { identify, OTHER_USER, otherUser } from './identity.ts';
import { listenTo } from './one-stream.ts';
import { outboxOf, type UnsentWrite } from './outbox.ts';
import type { StoredWrite } from './outbox-storage.ts';
import { pagesOf } from './page.ts';
import { type Store, type StoreState, storeOf } from './store.ts';

/** How a store shows a list, its events and writes. */
export interface ListSpec<T, S extends StoreState> {
  initial: S;
  events: EventsQuery;
  /** The operation that returns the list, and its data. */
  path: string;
  query: object;
  /** The field of `query` that limits the list to some ids. */
  idsField?: string;
  max?: number;
  idOf(item: T): string;
  /** Changes the items; returns the ids of those that have to be read again. */
  apply(event: LiveEvent, items: Map<string, T>, user: User | undefined): readonly string[];
  /** Writes of this place are shown in the store. */
  place?: string;
  /** The ids of the items that a write changes; undefined if it changes all. */
  idsOf?(write: StoredWrite): readonly string[] | undefined;
  /** Shows a write. Shown over its own result, it changes nothing. */
  show?(write: StoredWrite, items: Map<string, T>, user: User | undefined, isPending: boolean): void;
  view(items: T[], writes: { pending: number; unsent: readonly UnsentWrite[] }): Partial<S>;
}

export interface LiveList<S> extends Store<S> {
  /** Sends a write after those before it of the same lane, and of the same sequence. */
  write(lane: string, path: string, data: unknown, sequence?: string): Promise<unknown>;
  /** The user of the token, at once if known. */
  user(): User | Promise<User | undefined>;
  /** Forgets an unsent write. */
  discard(id: string): Promise<void>;
  /** Makes a new snapshot. */
  refresh(): void;
}

/** One stream serves all stores of a document. */
export const DOCUMENT_EVENTS = ['comment', 'comment_annotation', 'presence', 'document'] as const;

/** Most ids that a request may name. */
const IDS = 30;
const PAUSE_MS = 1_000;

interface Held<T> {
  items: Map<string, T>;
  user: User | undefined;
  /** Of the user for whom the items were read. */
  rights: string | undefined;
  /** Writes that have an answer, and the items that have not been read since then; without items, all of them. */
  answered: Map<StoredWrite, Set<string> | undefined>;
  show(change?: Partial<StoreState>): void;
}

/** A store of a list. */
export function liveList<T, S extends StoreState>(connection: Connection, spec: ListSpec<T, S>): LiveList<S> {
  const outbox = outboxOf(connection);
  const held: Held<T> = {
    items: new Map(),
    user: undefined,
    rights: undefined,
    answered: new Map(),
    show(change = {}) {
      const items = new Map(held.items);
      const pending = outbox.pending.filter(({ place }) => place === spec.place);
      for (const write of held.answered.keys()) spec.show?.(write, items, held.user, false);
      for (const write of pending) spec.show?.(write, items, held.user, true);
      const unsent = outbox.unsent.filter(({ place }) => place === spec.place);
      const view = spec.view([...items.values()], { pending: pending.length, unsent });
      store.set({ ...view, ...change } as Partial<S>);
    },
  };
  const store = storeOf(spec.initial, (signal) => follow(connection, spec, held, signal));
  return {
    ...store,
    write: (lane, path, data, sequence) => outbox.write({ place: spec.place!, lane, sequence, path, data }),
    user: () => held.user ?? identify(connection).then(({ user }) => user),
    discard: (id) => outbox.discard(id),
    refresh: () => held.show(),
  };
}

/** Reads the items with some ids, or the whole list, and with it what the writes before have done. */
async function readSome<T, S extends StoreState>(
  connection: Connection,
  { path, query, idsField, max = Number.POSITIVE_INFINITY, idOf }: ListSpec<T, S>,
  held: Held<T>,
  ids: string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const before = [...held.answered];
  const isFirst = !ids && held.items.size === 0;
  const { user, rights } = await persevere(() => identify(connection), signal);
  held.rights ??= rights;
  if (rights !== held.rights) throw otherUser();
  held.user = user;
  const found = new Map<string, T>();
  const data = ids ? { ...query, [idsField!]: ids } : query;
  for await (const { items, isLast } of pagesOf<T>(connection, path, data, signal)) {
    for (const item of items) if (item) found.set(idOf(item), item);
    if (found.size >= max) break;
    if (!isFirst || isLast) continue;
    held.items = new Map(found);
    held.show();
  }
  if (!ids) held.items = found;
  for (const id of ids ?? []) {
    held.items.delete(id);
    if (found.has(id)) held.items.set(id, found.get(id)!);
  }
  for (const [write, left] of before) {
    for (const id of ids ?? []) left?.delete(id);
    if (!ids || left?.size === 0) held.answered.delete(write);
  }
}

/** Keeps a list up to date: opens the stream of events, then reads the list, and applies the events since then. */
function follow<T, S extends StoreState>(
  connection: Connection,
  spec: ListSpec<T, S>,
  held: Held<T>,
  outer: AbortSignal,
): void {
  const outbox = outboxOf(connection);
  const own = new AbortController();
  const signal = AbortSignal.any([outer, own.signal]);
  const stale = new Set<string>();
  const buffer: LiveEvent[] = [];
  /** The whole list has to be read. */
  let isStale = true;
  let isReading = false;
  let isOpen = false;

  function show(change?: Partial<StoreState>): void {
    if (!signal.aborted) held.show(change);
  }
  function end(change: Partial<StoreState>): void {
    show(change);
    own.abort();
  }
  function fail(thrown: unknown): void {
    const error = unanswered(thrown);
    if (signal.aborted) return;
    if (error.code !== OTHER_USER) {
      end({ status: 'failed', error });
      return;
    }
    // What the user before could see is no concern of this one.
    own.abort();
    Object.assign(held, { items: new Map(), answered: new Map(), user: undefined, rights: undefined });
    follow(connection, spec, held, outer);
  }

  function take(event: LiveEvent): void {
    if (event.event === 'reset') isStale = true;
    if (isReading) buffer.push(event);
    else for (const id of spec.apply(event, held.items, held.user)) stale.add(id);
  }

  /** Reads what has to be read. Events meanwhile are applied after it. */
  async function read(): Promise<void> {
    if (isReading || !isOpen) return;
    while (isStale || stale.size > 0) {
      isReading = true;
      const ids = isStale ? undefined : [...stale].slice(0, IDS);
      for (const id of ids ?? [...stale]) stale.delete(id);
      isStale = false;
      await readSome(connection, spec, held, ids, signal);
      isReading = false;
      for (const event of buffer.splice(0)) take(event);
    }
    show({ status: isOpen ? 'live' : 'offline' });
  }

  async function listen(): Promise<void> {
    await listenTo(connection, spec.events, signal, {
      onOpen(value) {
        isOpen = value;
        if (!isOpen) return show({ status: 'offline' });
        outbox.adopt();
        read().catch(fail);
      },
      onEvent(event) {
        if (/^document\.(delete|migrate)$/.test(event.event)) return end({ status: 'ended' });
        take(event);
        read().catch(fail);
      },
    });
    // The place is gone, or the user may no longer read it: then this read is refused.
    isStale = true;
    isOpen = false;
    show({ status: 'offline' });
    await sleep(PAUSE_MS, signal);
    await readSome(connection, spec, held, undefined, signal);
    await listen();
  }

  // Writes are answered even if the store has failed.
  outbox.watch(outer, (write, isOver, isDone) => {
    if (write.place !== spec.place) return;
    const ids = spec.idsOf?.(write);
    if (isDone) held.answered.set(write, ids && new Set(ids));
    if (isOver) for (const id of ids ?? []) stale.add(id);
    isStale ||= isOver && !ids;
    held.show();
    if (!signal.aborted) read().catch(fail);
  });
  outbox.adopt();
  show({ status: 'loading', error: undefined });
  listen().catch(fail);
}
