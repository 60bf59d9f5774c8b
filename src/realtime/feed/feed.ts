import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../db/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { unavailable } from '../../lib/errors.ts';
import { endOfLiveEvents, LIVE_EVENTS_KEPT_MS, nextLiveEventsOf } from '../../store/live/live-events.ts';
import { loadStanding, organizationKey } from '../../store/live/stream-credentials.ts';
import { admitViewer } from './admit-viewer.ts';
import { type Channel, createChannel } from './channel.ts';
import { createJudge } from './event-visibility.ts';
import { streamsOpen } from './feed-meters.ts';
import { readEvents } from './read-event.ts';
import { type Stream, type StreamTimes, startStream } from './stream.ts';
import { createCounts, type Limits } from './stream-counts.ts';
import { type Position, type PositionIds, positionIds } from './stream-position.ts';
import { startTail, type Tail } from './tail.ts';
import { limitAtOnce } from './turns.ts';
import type { Viewer } from './viewer.ts';
import { verdictOnStream } from './watch-streams.ts';

export interface Feed {
  /**
   * Lets somebody in, or throws why not; nothing is sent until what it answers is called, which must happen, with
   * a response whose headers are written.
   */
  open(viewer: Viewer, lastEventId: string | undefined): Promise<(response: ServerResponse) => void>;
  /** Ends all streams, which their clients take up elsewhere, and lets nobody in any more. */
  stop(): Promise<void>;
}

const stopping = () => unavailable('The process is stopping.');

interface Parts {
  database: Database;
  keyring: Keyring;
  log: Logger;
}

const TIMES: StreamTimes = { heartbeatMs: 15_000, slowMs: 20_000, lingerMs: 2_000 };
const LIMITS: Limits = { perUser: 50, perKey: 10_000 };
const BEAT_EVERY_MS = 1_000;
/** Twice this, and a little, after a right ended its streams have ended. */
const CHECK_EVERY_MS = 1_500;
/** Pages of the past that are read at once, so that the requests of others find connections. */
const PAGES_AT_ONCE = 4;
/** Clocks of nodes differ, and an id may come from one that is ahead. */
const AHEAD_MS = 5 * 60_000;

/** What happens, for those who are connected to this process. It reads the database only while there are any. */
export function createFeed(
  { database, keyring, log }: Parts,
  options: Partial<StreamTimes & Limits> = {},
): Feed {
  const { db } = database;
  const times = { ...TIMES, ...options };
  const counts = createCounts({ ...LIMITS, ...options });
  const judge = createJudge(db);
  const inTurn = limitAtOnce(PAGES_AT_ONCE);
  const channels = new Map<string, Channel<Stream>>();
  const closing = new Set<Promise<void>>();
  /** At the last look they had no right to their document. */
  const suspects = new WeakSet<Stream>();
  const idsOfKeys = new Map<string, PositionIds>();
  let watch: Promise<{ tail: Tail; stop(): Promise<void> }> | undefined;
  let isStopping = false;

  const idsOf = (apiKeyId: string): PositionIds => {
    const ids = idsOfKeys.get(apiKeyId) ?? positionIds(keyring, apiKeyId);
    idsOfKeys.set(apiKeyId, ids);
    return ids;
  };
  const streams = (): Stream[] => [...channels.values()].flatMap((channel) => [...channel.streams]);

  const check = async (): Promise<void> => {
    const all = streams();
    if (all.length === 0) return;
    const standing = await loadStanding(
      db,
      all.map(({ viewer }) => viewer),
    );
    await Promise.all(
      all.map(async (stream) => {
        const reason = await verdictOnStream(stream.viewer, standing, judge);
        // Of a document that was deleted, they are to hear that first.
        if (reason === 'document' && !suspects.has(stream)) suspects.add(stream);
        else if (reason) stream.end(reason);
        else suspects.delete(stream);
      }),
    );
  };

  const startWatch = async () => {
    const tail = await startTail({ database, log }, channels);
    const beat = setInterval(() => {
      for (const channel of channels.values()) {
        channel.forget();
        for (const stream of channel.streams) stream.beat();
      }
      judge.forget();
    }, BEAT_EVERY_MS);
    let checking: Promise<void> | undefined;
    const checks = setInterval(() => {
      checking ??= check()
        .catch((error: unknown) => logFault(log, error, 'rights of live streams cannot be checked'))
        .finally(() => {
          checking = undefined;
        });
    }, CHECK_EVERY_MS);
    return {
      tail,
      async stop() {
        clearInterval(beat);
        clearInterval(checks);
        await Promise.all([tail.stop(), checking]);
      },
    };
  };
  const watching = () => {
    watch ??= startWatch();
    const mine = watch;
    mine.catch(() => {
      if (watch === mine) watch = undefined;
    });
    return mine;
  };
  const stopWatching = () => {
    const ended = watch;
    watch = undefined;
    if (!ended) return;
    const stopped = ended
      .then(({ stop }) => stop())
      .catch((error: unknown) => logFault(log, error, 'live events cannot be let go of'));
    closing.add(stopped);
    void stopped.finally(() => closing.delete(stopped));
  };

  /** Where to go on; a position that nobody can go on from is the end of now. */
  const positionOf = async (
    { apiKeyId }: Viewer,
    lastEventId: string | undefined,
    tail: Tail,
  ): Promise<{ from: Position; isReset: boolean }> => {
    const now = Date.now();
    const end = { seq: tail.upTo(), at: now };
    if (lastEventId === undefined) return { from: end, isReset: false };
    const from = idsOf(apiKeyId).read(lastEventId);
    const isKept = from && from.at > now - LIVE_EVENTS_KEPT_MS && from.at < now + AHEAD_MS;
    // Of a database that was put back to an earlier state.
    const isKnown = isKept && (from.seq <= end.seq || from.seq <= (await endOfLiveEvents(db)).given);
    return isKnown ? { from, isReset: false } : { from: end, isReset: true };
  };

  const leave = (viewer: Viewer, stream?: Stream) => {
    counts.leave(viewer);
    const channel = channels.get(organizationKey(viewer));
    if (stream) channel?.streams.delete(stream);
    if (channel?.streams.size === 0) channels.delete(organizationKey(viewer));
    if (counts.total() > 0) return;
    idsOfKeys.clear();
    stopWatching();
  };

  return {
    async open(viewer, lastEventId) {
      if (isStopping) throw stopping();
      counts.enter(viewer);
      try {
        await admitViewer(db, viewer);
        if (isStopping) throw stopping();
        const { tail } = await watching();
        const { from, isReset } = await positionOf(viewer, lastEventId, tail);
        return (response) => begin(viewer, response, from, isReset);
      } catch (error) {
        leave(viewer);
        throw error;
      }
    },

    async stop() {
      isStopping = true;
      const ended = streams();
      for (const stream of ended) stream.end('restart');
      await Promise.all(ended.map(({ closed }) => closed));
      stopWatching();
      await Promise.all(closing);
    },
  };

  function begin(viewer: Viewer, response: ServerResponse, from: Position, isReset: boolean): void {
    if (response.closed || response.destroyed) {
      leave(viewer);
      return;
    }
    const key = organizationKey(viewer);
    const channel = channels.get(key) ?? createChannel<Stream>(viewer, idsOf(viewer.apiKeyId));
    channels.set(key, channel);
    streamsOpen.inc();
    const stream = startStream({
      viewer,
      response,
      channel,
      judge,
      times,
      from,
      isReset,
      async read(after) {
        const recent = channel.read(after);
        if (recent) return recent;
        const page = await inTurn(() => nextLiveEventsOf(db, channel, viewer.documentId, after));
        return { ...page, events: readEvents(db, page.events) };
      },
      onClosed() {
        streamsOpen.dec();
        leave(viewer, stream);
      },
      onError: (error) => logFault(log, error, 'live events cannot be sent'),
    });
    channel.streams.add(stream);
    if (isStopping) stream.end('restart');
  }
}
