import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Bus } from '../../lib/bus/bus.ts';
import { createBusListeners } from '../../lib/bus/bus-listeners.ts';
import { sha256 } from '../../lib/crypto.ts';
import type { Db } from '../tables.ts';
import type { Database } from './connect.ts';

/** The only PostgreSQL channel that is used; the channel of the bus is part of each payload. */
const CHANNEL = 'redpen_bus';
/** Longest payload of a NOTIFY, in bytes. */
const MAX_PAYLOAD = 7_999;
/** In place of the content of a message that does not fit; base64 contains no `-`. */
const TOO_BIG = '-';
const MAX_BATCH = 500;
/** Base64 characters that may be queued before further messages are refused (backpressure). */
const MAX_WAITING = 16_000_000;
const RETRY_MS = 1_000;
const CLOSE_WITHIN_MS = 1_000;

interface Waiting {
  payload: string;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * A bus over NOTIFY, for processes that share a PostgreSQL and have no Redis. Each NOTIFY takes a server-wide lock at
 * commit and reaches all processes, whatever they subscribe to, so it suits a few processes; for many, use Redis.
 *
 * It works as long as `database` is open. `onError` receives errors thrown by listeners.
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

  /** Sends empty messages until the database accepts one, and then reports the gap to the listeners. */
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
    // It rejects only when the bus is closed.
    recover().catch(() => {});
  };
  const flush = async () => {
    // Messages that are published in the same turn join the first batch.
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
      sent += 1;
      const payload = encodePayload(`${sender} ${sent.toString(36)} ${sha256(channel)} `, message);
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

/**
 * A message after its head, or a marker in its place if PostgreSQL would refuse the length. The head has a number, because
 * PostgreSQL drops equal payloads of one transaction, and a hash of the channel, which has a fixed length.
 */
function encodePayload(head: string, message: Uint8Array): string {
  const fits = head.length + Math.ceil(message.length / 3) * 4 <= MAX_PAYLOAD;
  return head + (fits ? Buffer.from(message).toString('base64') : TOO_BIG);
}

/** Does not wait for the disk, since messages need not survive a crash. */
const notifyAll = (db: Db, payloads: string[]) =>
  sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(db);
