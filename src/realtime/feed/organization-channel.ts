import type { LivePage, OrganizationRef } from '../../store/live/live-events.ts';
import type { ReadEvent } from './read-event.ts';
import type { PositionIds } from './stream-position.ts';

/** Events kept in memory; a stream that lags further behind reads from the database. */
const MAX_EVENTS = 1_000;
/** Bytes of events as stored, that is, compressed. */
const MAX_BYTES = 4_000_000;
const KEPT_MS = 10_000;
const PAGE = 200;

export interface ReadPage extends Omit<LivePage, 'events'> {
  events: ReadEvent[];
}

interface Listener {
  wake(): void;
}

/** The streams of one organization, and its most recent events. */
export interface Channel<Stream extends Listener = Listener> extends OrganizationRef {
  ids: PositionIds;
  streams: Set<Stream>;
  /** Adds all events of the organization between two numbers. */
  take(events: ReadEvent[], from: number, upTo: number): void;
  /** Events after a number; undefined if some of them are no longer in memory. */
  read(after: number): ReadPage | undefined;
  /** Number up to which events are known. */
  upTo(): number;
  /** Drops events that all streams should have read by now. */
  forget(): void;
}

export function createChannel<Stream extends Listener>(
  { apiKeyId, organizationId }: OrganizationRef,
  ids: PositionIds,
): Channel<Stream> {
  const streams = new Set<Stream>();
  let recent: ReadEvent[] = [];
  let bytes = 0;
  /** Number after which events are in memory; undefined before the first `take`. */
  let from: number | undefined;
  let end = 0;

  const drop = (count: number) => {
    if (count === 0) return;
    from = recent[count - 1]!.seq;
    for (const { size } of recent.slice(0, count)) bytes -= size;
    recent = recent.slice(count);
  };

  return {
    apiKeyId,
    organizationId,
    ids,
    streams,
    take(events, begin, upTo) {
      const isFirst = from === undefined;
      from ??= begin;
      end = upTo;
      recent.push(...events);
      for (const { size } of events) bytes += size;
      let surplus = Math.max(0, recent.length - MAX_EVENTS);
      let left = bytes - recent.slice(0, surplus).reduce((sum, { size }) => sum + size, 0);
      while (left > MAX_BYTES && surplus < recent.length - 1) left -= recent[surplus++]!.size;
      drop(surplus);
      // At the first call, a stream that joined during the read has to read for itself.
      if (isFirst || events.length > 0) for (const stream of streams) stream.wake();
    },
    read(after) {
      if (from === undefined || after < from) return undefined;
      const begin = recent.findLastIndex(({ seq }) => seq <= after) + 1;
      const events = recent.slice(begin, begin + PAGE);
      const isFull = begin + PAGE < recent.length;
      return { events, upTo: isFull ? events.at(-1)!.seq : Math.max(after, end), isFull };
    },
    upTo: () => end,
    forget() {
      const limit = Date.now() - KEPT_MS;
      const kept = recent.findIndex(({ readAt }) => readAt >= limit);
      drop(kept === -1 ? recent.length : kept);
    },
  };
}
