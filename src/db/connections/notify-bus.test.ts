import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { capturing } from '../../../test/database/captured-queries.ts';
import { collectMessages, publishText } from '../../../test/live/bus-talk.ts';
import { testApp } from '../../../test/service/harness.ts';
import { newId } from '../../lib/ids.ts';
import type { Database } from './connect.ts';
import { openNotifyBus } from './notify-bus.ts';

/** Opens a bus as a separate process would. */
async function open(database?: Database) {
  const errors: Error[] = [];
  const bus = await openNotifyBus(database ?? (await testApp()).database, (error) => errors.push(error));
  onTestFinished(() => bus.close());
  let gaps = 0;
  bus.onGap(() => {
    gaps += 1;
  });
  return { ...bus, errors, gaps: () => gaps };
}

/** The database of the tests, with faults that a test switches on. */
async function faultyDatabase() {
  const { database } = await testApp();
  const faults = {
    refuses: false,
    answersAfter: Promise.resolve(),
    setListening: (_isListening: boolean) => {},
  };
  const faulty: Database = {
    ...database,
    db: database.db.withPlugin({
      transformQuery({ node }) {
        if (faults.refuses) throw new Error('No, says the database.');
        return node;
      },
      async transformResult({ result }) {
        await faults.answersAfter;
        return result;
      },
    }),
    listen(channel, onMessage, onReset) {
      faults.setListening = onReset;
      return database.listen(channel, onMessage, onReset);
    },
  };
  return { faulty, faults };
}

test('other processes receive messages byte for byte and in order, and the sender does not', async () => {
  const page = newId('p');
  const [jane, sam, kim] = [await open(), await open(), await open()];
  const received: Record<string, (Uint8Array | undefined)[]> = { jane: [], sam: [], kim: [] };
  await jane.subscribe(page, (message) => received.jane!.push(message));
  await sam.subscribe(page, (message) => received.sam!.push(message));
  await kim.subscribe(page, (message) => received.kim!.push(message));
  const messages = [
    new Uint8Array(),
    Uint8Array.from({ length: 256 }, (_, index) => index),
    Uint8Array.from([1]),
    Uint8Array.from([1]),
    ...Array.from({ length: 1_500 }, (_, index) => Uint8Array.from([index >> 8, index & 255])),
  ];
  await Promise.all(messages.map((message) => jane.publish(page, message)));
  await expect.poll(() => [received.sam!.length, received.kim!.length]).toEqual([1_504, 1_504]);
  expect(received.sam).toEqual(messages);
  expect(received.kim).toEqual(messages);
  expect(received.jane).toEqual([]);
});

test('a process receives all messages that are sent after its bus is open', async () => {
  const page = newId('p');
  const jane = await open();
  for (let round = 0; round < 5; round++) {
    const sam = await open();
    const { received } = await collectMessages(sam, page);
    await publishText(jane, page, `${round}`);
    await expect.poll(() => received).toEqual([`${round}`]);
    expect([sam.isConnected(), sam.gaps()]).toEqual([true, 0]);
  }
});

test('a message too large for a notification is announced without its content', async () => {
  const page = newId('p');
  const [jane, sam] = [await open(), await open()];
  const received: (number | undefined)[] = [];
  await sam.subscribe(page, (message) => received.push(message?.length));
  const sizes = Array.from({ length: 200 }, (_, index) => 5_800 + index);
  for (const size of [...sizes, 1_000_000]) await jane.publish(page, new Uint8Array(size));
  await expect.poll(() => received.length).toBe(201);
  const fitting = sizes.filter((size) => received.includes(size));
  expect(fitting.length).toBeGreaterThan(10);
  expect(received).toEqual([...fitting, ...Array(201 - fitting.length).fill(undefined)]);
});

test('channels are separate, whatever their names', async () => {
  const page = newId('p');
  const [jane, sam] = [await open(), await open()];
  const names = ['', ' ', 'é', '\u0000', '\ud800', ' a b', 'a'.repeat(20_000)].map((name) => page + name);
  const received: string[] = [];
  for (const name of names) {
    await sam.subscribe(name, (message) => received.push(`${name}=${Buffer.from(message!)}`));
  }
  for (const name of names) await publishText(jane, name, `to ${name.length}`);
  await expect.poll(() => received.length).toBe(names.length);
  expect(received).toEqual(names.map((name) => `${name}=to ${name.length}`));
});

test('a listener that unsubscribed receives nothing more, and other listeners do', async () => {
  const page = newId('p');
  const [jane, sam] = [await open(), await open()];
  const [first, second] = [await collectMessages(sam, page), await collectMessages(sam, page)];
  await first.stop();
  await first.stop();
  await publishText(jane, page, 'one');
  await expect.poll(() => second.received).toEqual(['one']);
  expect(first.received).toEqual([]);
});

test('messages published in one turn of the event loop are sent by one statement', async () => {
  const page = newId('p');
  const { database } = await testApp();
  const { db, queries } = capturing(database.db);
  const [jane, sam] = [await open({ ...database, db }), await open()];
  const { received } = await collectMessages(sam, page);
  const texts = Array.from({ length: 300 }, (_, index) => `${index}`);
  await Promise.all(texts.map((text) => publishText(jane, page, text)));
  expect(queries).toHaveLength(1);
  await expect.poll(() => received).toEqual(texts);
});

test('an error of a listener is reported, and other listeners still receive the message', async () => {
  const page = newId('p');
  const [jane, sam] = [await open(), await open()];
  await sam.subscribe(page, () => {
    throw new Error('I cannot take this.');
  });
  const { received } = await collectMessages(sam, page);
  await publishText(jane, page, 'one');
  await expect.poll(() => received).toEqual(['one']);
  expect(sam.errors.map(({ message }) => message)).toEqual(['I cannot take this.']);
});

test('foreign notifications on the same channel of the database are ignored', async () => {
  const page = newId('p');
  const { database } = await testApp();
  const [jane, sam] = [await open(), await open()];
  const { received } = await collectMessages(sam, page);
  for (const payload of ['', 'x', 'x 1', 'x 1 y']) {
    await sql`select pg_notify('redpen_bus', ${payload})`.execute(database.db);
  }
  await publishText(jane, page, 'one');
  await expect.poll(() => received).toEqual(['one']);
  expect(sam.errors).toEqual([]);
});

test('messages that the database refuses count as a gap, which is reported once it accepts messages again', async () => {
  const page = newId('p');
  const { faulty, faults } = await faultyDatabase();
  const [jane, sam] = [await open(faulty), await open()];
  const { received } = await collectMessages(sam, page);
  faults.refuses = true;
  const refused = await Promise.allSettled([publishText(jane, page, 'one'), publishText(jane, page, 'two')]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(publishText(jane, page, 'three')).rejects.toThrow('takes no messages');
  expect([jane.isConnected(), jane.gaps()]).toEqual([false, 0]);
  faults.refuses = false;
  await expect.poll(() => jane.isConnected(), { timeout: 300_000 }).toBe(true);
  expect(jane.gaps()).toBe(1);
  await publishText(jane, page, 'four');
  await expect.poll(() => received).toEqual(['four']);
});

test('messages beyond a limit are refused while the database is slow', async () => {
  const page = newId('p');
  const { faulty, faults } = await faultyDatabase();
  const [jane, sam] = [await open(faulty), await open()];
  const { received } = await collectMessages(sam, page);
  const answer = Promise.withResolvers<void>();
  faults.answersAfter = answer.promise;
  const first = publishText(jane, page, 'one');
  await expect.poll(() => received).toEqual(['one']);
  const message = new Uint8Array(5_000);
  const others = Array.from({ length: 2_600 }, () => jane.publish(page, message).then(String, String));
  expect(await Promise.race(others)).toContain('takes no messages');
  expect(jane.isConnected()).toBe(false);
  answer.resolve();
  await first;
  await expect.poll(() => jane.gaps(), { timeout: 300_000 }).toBe(1);
  expect(new Set(await Promise.all(others)).size).toBe(2);
});

test('a gap is reported when listening resumes after an interruption', async () => {
  const page = newId('p');
  const { faulty, faults } = await faultyDatabase();
  const [jane, sam] = [await open(faulty), await open()];
  const { received } = await collectMessages(sam, page);
  faults.setListening(false);
  faults.setListening(false);
  expect([jane.isConnected(), jane.gaps()]).toEqual([false, 0]);
  // Sending still works.
  await publishText(jane, page, 'one');
  await expect.poll(() => received).toEqual(['one']);
  faults.setListening(true);
  expect([jane.isConnected(), jane.gaps()]).toEqual([true, 1]);
  faults.setListening(true);
  expect(jane.gaps()).toBe(1);
});

test('closing sends what was published, and ends receiving', async () => {
  const page = newId('p');
  const [jane, sam] = [await open(), await open()];
  const [own, others] = [await collectMessages(jane, page), await collectMessages(sam, page)];
  let sent = 0;
  for (const text of ['one', 'two']) {
    void publishText(jane, page, text).then(() => {
      sent += 1;
    });
  }
  await jane.close();
  expect(sent).toBe(2);
  await expect(publishText(jane, page, 'three')).rejects.toThrow('takes no messages');
  await publishText(sam, page, 'four');
  await expect.poll(() => others.received).toEqual(['one', 'two']);
  expect([own.received, jane.isConnected()]).toEqual([[], false]);
});
