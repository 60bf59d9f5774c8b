import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import { endOfLiveEvents, LIVE_CHANNEL, nextLiveEvents } from '../../store/live/live-events.ts';
import type { Channel } from './organization-channel.ts';
import { readEvents } from './read-event.ts';

/** Poll interval, in case a notification is lost. */
const POLL_EVERY_MS = 1_000;

/** Reads new events, once for all streams of this process. */
export interface Tail {
  /** Number of the last event that was read. */
  upTo(): number;
  stop(): Promise<void>;
}

/** Starts to pass new events to the channels of their organizations, woken by NOTIFY. */
export async function startTail(
  { database, log }: { database: Database; log: Logger },
  channels: ReadonlyMap<string, Channel>,
): Promise<Tail> {
  const { db } = database;
  let isStopped = false;
  let isWoken = false;
  let wakeUp = () => {};
  const wake = () => {
    isWoken = true;
    wakeUp();
  };
  const rest = () =>
    new Promise<void>((resolve) => {
      if (isWoken) return resolve();
      const timer = setTimeout(resolve, POLL_EVERY_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const stopListening = await database.listen(LIVE_CHANNEL, wake, wake);
  let upTo = await endOfLiveEvents(db).then(
    ({ newest }) => newest,
    async (error: unknown) => {
      await stopListening();
      throw error;
    },
  );

  const readOn = async (): Promise<boolean> => {
    const from = upTo;
    const wanted = [...channels];
    const page = await nextLiveEvents(
      db,
      wanted.map(([, channel]) => channel),
      from,
    );
    upTo = page.upTo;
    const byChannel = Map.groupBy(readEvents(db, page.events), ({ apiKeyId, organizationId }) =>
      JSON.stringify([apiKeyId, organizationId]),
    );
    for (const [key, channel] of wanted) channel.take(byChannel.get(key) ?? [], from, upTo);
    return page.isFull;
  };
  const run = async () => {
    while (!isStopped) {
      isWoken = false;
      try {
        const goesOn = await readOn();
        await nextTurn();
        if (goesOn) continue;
      } catch (error) {
        if (isStopped) return;
        logFault(log, error, 'live events cannot be read');
        isWoken = false;
      }
      await rest();
    }
  };
  const running = run();
  return {
    upTo: () => upTo,
    async stop() {
      isStopped = true;
      wake();
      await stopListening();
      await running;
    },
  };
}
