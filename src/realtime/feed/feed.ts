import type { ServerResponse } from 'node:http';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Database } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { unavailable } from '../../lib/errors.ts';
import { endOfLiveEvents, LIVE_EVENTS_KEPT_MS, nextLiveEventsOf } from '../../store/live/live-events.ts';
import { organizationKey } from '../../store/live/stream-credentials.ts';
import { EventStream, type StreamTimes } from './event-stream.ts';
import { EventVisibility } from './event-visibility.ts';
import { streamsOpen } from './feed-metrics.ts';
import { type Channel, createChannel, type ReadPage } from './organization-channel.ts';
import { readEvents } from './read-event.ts';
import { createStreamCounts, type StreamCounts, type StreamLimits } from './stream-counts.ts';
import { type PositionIds, positionIds, type StreamPosition } from './stream-position.ts';
import { admitViewer, type Viewer } from './stream-viewer.ts';
import type { Tail } from './tail-live-events.ts';
import { startWatch, type Watch } from './watch-streams.ts';

interface FeedDeps {
  database: Database;
  keyring: Keyring;
  log: Logger;
}

const TIMES: StreamTimes = { heartbeatMs: 15_000, slowMs: 20_000, lingerMs: 2_000 };
const LIMITS: StreamLimits = { perUser: 50, perKey: 10_000 };
/** Concurrent reads of past events, few enough to leave database connections to requests. */
const CONCURRENT_PAGES = 4;
/** Clocks of nodes differ, and an id may come from a node that is ahead. */
const AHEAD_MS = 5 * 60_000;

const stopping = () => unavailable('The process is stopping.');

export const createFeed = (deps: FeedDeps, options: Partial<StreamTimes & StreamLimits> = {}): Feed =>
  new Feed(deps, options);

/** Streams of live events to the clients of this process. It reads the database only while there are streams. */
export class Feed {
  readonly #deps: FeedDeps;
  readonly #times: StreamTimes;
  readonly #counts: StreamCounts;
  readonly #visibility: EventVisibility;
  readonly #limitPages = pLimit(CONCURRENT_PAGES);
  readonly #channels = new Map<string, Channel<EventStream>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #positionIds = new Map<string, PositionIds>();
  #watch: Promise<Watch> | undefined;
  #isStopping = false;

  constructor(deps: FeedDeps, options: Partial<StreamTimes & StreamLimits>) {
    this.#deps = deps;
    this.#times = { ...TIMES, ...options };
    this.#counts = createStreamCounts({ ...LIMITS, ...options });
    this.#visibility = new EventVisibility(deps.database.db, deps.keyring);
  }

  /**
   * Admits a viewer, or throws an ApiError. Nothing is sent until the returned function is called, which must happen,
   * with a response whose headers are written.
   */
  async open(viewer: Viewer, lastEventId: string | undefined): Promise<(response: ServerResponse) => void> {
    if (this.#isStopping) throw stopping();
    this.#counts.enter(viewer);
    try {
      await admitViewer(this.#deps.database.db, viewer);
      if (this.#isStopping) throw stopping();
      const { tail } = await this.#startWatching();
      const { from, isReset } = await this.#positionOf(viewer, lastEventId, tail);
      return (response) => this.#begin(viewer, response, from, isReset);
    } catch (error) {
      this.#leave(viewer);
      throw error;
    }
  }

  /** Ends all streams, which clients resume on another node, and admits no more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const streams = [...this.#channels.values()].flatMap((channel) => [...channel.streams]);
    for (const stream of streams) stream.end('restart');
    await Promise.all(streams.map(({ closed }) => closed));
    this.#stopWatching();
    await Promise.all(this.#closing);
  }

  #begin(viewer: Viewer, response: ServerResponse, from: StreamPosition, isReset: boolean): void {
    if (response.closed || response.destroyed) {
      this.#leave(viewer);
      return;
    }
    const key = organizationKey(viewer);
    const channel =
      this.#channels.get(key) ?? createChannel<EventStream>(viewer, this.#idsOf(viewer.apiKeyId));
    this.#channels.set(key, channel);
    streamsOpen.inc();
    const stream: EventStream = new EventStream({
      viewer,
      response,
      channel,
      visibility: this.#visibility,
      times: this.#times,
      from,
      isReset,
      read: (after) => this.#read(channel, viewer, after),
      onClosed: () => {
        streamsOpen.dec();
        this.#leave(viewer, stream);
      },
      onError: (error) => logFault(this.#deps.log, error, 'live events cannot be sent'),
    });
    channel.streams.add(stream);
    if (this.#isStopping) stream.end('restart');
  }

  /** Reads recent events from memory, and older ones from the database. */
  async #read(channel: Channel<EventStream>, viewer: Viewer, after: number): Promise<ReadPage> {
    const recent = channel.read(after);
    if (recent) return recent;
    const { db } = this.#deps.database;
    const page = await this.#limitPages(() => nextLiveEventsOf(db, channel, viewer.documentId, after));
    return { ...page, events: readEvents(db, page.events) };
  }

  /** The position to resume from. An unknown one becomes the present end, with a reset. */
  async #positionOf(
    { apiKeyId }: Viewer,
    lastEventId: string | undefined,
    tail: Tail,
  ): Promise<{ from: StreamPosition; isReset: boolean }> {
    const now = Date.now();
    const end = { seq: tail.upTo(), at: now };
    if (lastEventId === undefined) return { from: end, isReset: false };
    const from = this.#idsOf(apiKeyId).read(lastEventId);
    const isKept = from && from.at > now - LIVE_EVENTS_KEPT_MS && from.at < now + AHEAD_MS;
    // A number that was never given comes from a database that was restored to an earlier state since.
    const isKnown =
      isKept && (from.seq <= end.seq || from.seq <= (await endOfLiveEvents(this.#deps.database.db)).given);
    return isKnown ? { from, isReset: false } : { from: end, isReset: true };
  }

  #idsOf(apiKeyId: string): PositionIds {
    const ids = this.#positionIds.get(apiKeyId) ?? positionIds(this.#deps.keyring, apiKeyId);
    this.#positionIds.set(apiKeyId, ids);
    return ids;
  }

  #leave(viewer: Viewer, stream?: EventStream): void {
    this.#counts.leave(viewer);
    const key = organizationKey(viewer);
    const channel = this.#channels.get(key);
    if (stream) channel?.streams.delete(stream);
    if (channel?.streams.size === 0) this.#channels.delete(key);
    if (this.#counts.total() > 0) return;
    this.#positionIds.clear();
    this.#stopWatching();
  }

  #startWatching(): Promise<Watch> {
    const { database, log } = this.#deps;
    this.#watch ??= startWatch({ database, log, visibility: this.#visibility }, this.#channels);
    const watch = this.#watch;
    watch.catch(() => {
      if (this.#watch === watch) this.#watch = undefined;
    });
    return watch;
  }

  #stopWatching(): void {
    const watch = this.#watch;
    this.#watch = undefined;
    if (!watch) return;
    const stopped = watch
      .then(({ stop }) => stop())
      .catch((error: unknown) => logFault(this.#deps.log, error, 'reading of live events cannot be stopped'));
    this.#closing.add(stopped);
    void stopped.finally(() => this.#closing.delete(stopped));
  }
}
