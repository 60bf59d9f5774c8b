import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Bus } from '../lib/bus/bus.ts';
import { createBusListeners } from '../lib/bus/bus-listeners.ts';
import { sha256 } from '../lib/crypto.ts';
import type { Database } from './connect.ts';
import type { Db } from './tables.ts';

/** The one channel of PostgreSQL; its messages name ours. */
const CHANNEL = 'redpen_bus';
/** Longest payload of a NOTIFY, in bytes. */
const MAX_PAYLOAD = 7_999;
/** Stands for a message that does not fit; no base64 has it. */
const TOO_BIG = '-';
const MAX_BATCH = 500;
/** Base64 characters that may wait for the database before further messages are refused. */
const MAX_WAITING = 16_000_000;
const RETRY_MS = 1_000;
const CLOSE_WITHIN_MS = 1_000;

interface Waiting {
  payload: string;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * A bus for processes that share a PostgreSQL and have no Redis. Every NOTIFY takes a lock of the whole server when
 * it commits, and comes to all processes whatever they listen to. That does for a few of them; for many, Redis is
 * the better choice.
 *
 * It holds while `database` is open. `onError` gets what listeners throw.
 */
export async function openNotifyBus(database: Database, onError: (error: Error) => void): Promise<Bus> {
  const sender = randomBytes(8).toString('base64url');
  const listeners = createBusListeners(onError);
  const waiting: Waiting[] = [];
  let waitingSize = 0;
  let sent = 0;
  let isListening = false;
  let isSending = true;
  let flushing: Promise<void> | undefined;
  const closing = new AbortController();

  const notify = (payloads: string[]) => notifyAll(database.db, payloads);
  const take = (count: number): Waiting[] => {
    const taken = waiting.splice(0, count);
    for (const { payload } of taken) waitingSize -= payload.length;
    return taken;
  };

  /** Sends empty messages until the database accepts one. */
  const recover = async () => {
    while (!isSending) {
      await pause(RETRY_MS, undefined, { signal: closing.signal });
      isSending = await notify([sender]).then(
        () => true,
        () => false,
      );
    }
    if (isListening) listeners.notifyGap();
  };
  const fail = () => {
    if (!isSending) return;
    isSending = false;
    // Only closing ends it early.
    recover().catch(() => {});
  };
  const flush = async () => {
    // Whatever else is published in this turn goes along.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = take(MAX_BATCH);
      try {
        await notify(batch.map(({ payload }) => payload));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        fail();
        for (const { reject } of [...batch, ...take(waiting.length)]) reject(error as Error);
      }
    }
    flushing = undefined;
  };
  const payloadOf = (channel: string, message: Uint8Array): string => {
    sent += 1;
    // Of equal payloads in a transaction only one arrives, so each has its number. A hash fits whatever the channel.
    const start = `${sender} ${sent.toString(36)} ${sha256(channel)} `;
    const fits = start.length + Math.ceil(message.length / 3) * 4 <= MAX_PAYLOAD;
    return start + (fits ? Buffer.from(message).toString('base64') : TOO_BIG);
  };
  const onPayload = (payload: string) => {
    const [from, , channel, content] = payload.split(' ');
    if (from === sender || channel === undefined || content === undefined) return;
    listeners.emit(channel, content === TOO_BIG ? undefined : new Uint8Array(Buffer.from(content, 'base64')));
  };

  const answered = Promise.withResolvers<void>();
  const stop = await database.listen(CHANNEL, onPayload, (listens) => {
    const isBack = listens && !isListening;
    isListening = listens;
    answered.resolve();
    if (isBack && isSending) listeners.notifyGap();
  });
  await answered.promise;

  return {
    async publish(channel, message) {
      const payload = payloadOf(channel, message);
      if (waitingSize + payload.length > MAX_WAITING) fail();
      if (!isSending || closing.signal.aborted) throw new Error('The database takes no messages.');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ payload, resolve, reject });
      waitingSize += payload.length;
      flushing ??= flush();
      await promise;
    },
    async subscribe(channel, onMessage) {
      const { remove } = listeners.add(sha256(channel), onMessage);
      return async () => void remove();
    },
    onGap: listeners.onGap,
    isConnected: () => isListening && isSending && !closing.signal.aborted,
    async close() {
      closing.abort();
      await Promise.race([flushing, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      await stop();
    },
  };
}

/** Sends without waiting for the disk, since messages need not survive a crash. */
const notifyAll = (db: Db, payloads: string[]) =>
  sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(db);
