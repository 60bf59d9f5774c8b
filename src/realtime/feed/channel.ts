import type { LivePage, OrganizationRef } from '../../store/live/live-events.ts';
import type { ReadEvent } from './read-event.ts';
import type { PositionIds } from './stream-position.ts';

/** Beyond this, whoever lags reads from the database. */
const MAX_EVENTS = 1_000;
/** Of events as the database has them, that is, compressed. */
const MAX_BYTES = 4_000_000;
const KEPT_MS = 10_000;
const PAGE = 200;

export interface ReadPage extends Omit<LivePage, 'events'> {
  events: ReadEvent[];
}

/** Whoever listens, and wants to know when there is something to read. */
interface Listener {
  wake(): void;
}

/** One organization of an API key, with those who listen to it and what happened there just now. */
export interface Channel<Stream extends Listener = Listener> extends OrganizationRef {
  ids: PositionIds;
  streams: Set<Stream>;
  /** Takes all that happened there from one number up to another. */
  take(events: ReadEvent[], from: number, upTo: number): void;
  /** What came behind a number, or undefined where that is not known here any more. */
  read(after: number): ReadPage | undefined;
  /** Up to where it is known what happened. */
  upTo(): number;
  /** Lets go of what everybody should have read by now. */
  forget(): void;
}

export function createChannel<Stream extends Listener>(
  { apiKeyId, organizationId }: OrganizationRef,
  ids: PositionIds,
): Channel<Stream> {
  const streams = new Set<Stream>();
  let recent: ReadEvent[] = [];
  let bytes = 0;
  /** Undefined until the first time that events were read for it. */
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
      // Whoever came while events were read for others has to look for themselves.
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
