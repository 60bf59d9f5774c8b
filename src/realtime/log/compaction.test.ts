import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { applyUpdate, Doc, encodeStateAsUpdate, encodeStateVector } from 'yjs';
import {
  appendLive,
  compactDueIn,
  contentOf,
  rowsOf,
  updateEventsOf,
  withWebhook,
  writeLive,
} from '../../../test/live/editor-rows.ts';
import { editor, withDocument } from '../../../test/live/live-node.ts';
import { until } from '../../../test/run/until.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { openStored } from '../document/stored-content.ts';
import { startCompaction } from './compaction.ts';

const QUIET = 6_000;
const storedOf = async (w: TestWorkspace): Promise<Doc> => {
  const { row, log } = await rowsOf(w);
  return openStored({ snapshot: row.snapshot, updates: Buffer.concat(log.map(({ payload }) => payload)) });
};

test('a compacted editor has the same content as before and can be edited on', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  for (let at = 0; at < 30; at++) {
    await writeLive(w, document, () => {
      text.insert(at % (text.length + 1), `word ${at} `);
      if (at % 3 === 0) text.delete(0, 2);
    });
  }
  const [before, uncompacted] = [await contentOf(w), await storedOf(w)];
  expect(before).toBe(text.toString());
  expect((await rowsOf(w)).log).toHaveLength(30);
  await compactDueIn(QUIET);
  const { row, log } = await rowsOf(w);
  expect(log).toEqual([]);
  expect(row).toMatchObject({ snapshotVersion: 1, dirtySince: null, lastUpdatedBy: 'ada' });
  expect(await contentOf(w)).toBe(before);
  expect(encodeStateVector(await storedOf(w))).toEqual(encodeStateVector(uncompacted));
  await writeLive(w, document, () => text.insert(0, 'and on '));
  await w.must('/v2/crdt/update', { ...editor, type: 'text', data: `${text.toString()}!` });
  expect(await contentOf(w)).toBe(`${text.toString()}!`);
  await compactDueIn(QUIET);
  expect(await contentOf(w)).toBe(`${text.toString()}!`);
  expect((await rowsOf(w)).row.snapshotVersion).toBe(2);
});

test('an update that depends on a missing one survives compaction', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(update));
  for (const word of ['one ', 'two ', 'three']) text.insert(text.length, word);
  await appendLive(w, [updates[0]!, updates[2]!]);
  await compactDueIn(QUIET);
  expect(await contentOf(w)).toBe('one ');
  await appendLive(w, [updates[1]!]);
  expect(await contentOf(w)).toBe('one two three');
});

test('an editor sends one event for every pause in typing', async () => {
  const w = await withWebhook();
  const document = new Doc();
  const text = document.getText('content');
  for (const word of ['a', 'b', 'c']) await writeLive(w, document, () => text.insert(0, word));
  await compactDueIn(1_000);
  expect(await updateEventsOf(w)).toEqual([]);
  await compactDueIn(QUIET);
  await compactDueIn(60_000);
  expect(await updateEventsOf(w)).toEqual([
    {
      ...editor,
      crdtData: {
        id: 'body',
        data: 'cba',
        lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lastUpdatedBy: 'ada',
        sessionId: 'socket-1',
      },
      actionUser: { userId: 'ada' },
    },
  ]);
  await w.must('/v2/crdt/update', { ...editor, type: 'text', data: 'changed' });
  await compactDueIn(QUIET);
  const [, second, ...more] = await updateEventsOf(w);
  expect(more).toEqual([]);
  expect(second).not.toHaveProperty('actionUser');
  expect(second.crdtData).toMatchObject({ data: 'changed', lastUpdatedBy: null, sessionId: null });
});

test('continuous typing sends an event every 20 seconds', async () => {
  const w = await withDocument();
  const document = new Doc();
  const { deps } = await testApp();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a'));
  const since = (agoMs: number) =>
    sql`update crdt_editors set dirty_since = ${Date.now() - agoMs} where api_key_id = ${w.apiKeyId}`.execute(
      deps.db,
    );
  await since(19_000);
  await compactDueIn(0);
  expect(await updateEventsOf(w)).toHaveLength(0);
  await since(20_000);
  await compactDueIn(0);
  expect(await updateEventsOf(w)).toHaveLength(1);
  expect((await rowsOf(w)).log).toEqual([]);
});

test('a new editor sends an event, too', async () => {
  const w = await withWebhook();
  await w.must('/v2/crdt/add', { ...editor, type: 'map', data: { a: [1] } });
  await compactDueIn(QUIET);
  expect(await updateEventsOf(w)).toMatchObject([{ crdtData: { data: { a: [1] } } }]);
});

test('an event carries content only if it is small and an endpoint wants it', async () => {
  const [w, withoutWebhook] = [await withWebhook(), await withDocument()];
  const write = async (of: TestWorkspace, data: string) => {
    const { status } = await of.post('/v2/crdt/add', { ...editor, type: 'text', data });
    if (status !== 200) await of.must('/v2/crdt/update', { ...editor, type: 'text', data });
    await compactDueIn(QUIET);
    return (await updateEventsOf(of)).at(-1);
  };
  const event = await write(w, '"'.repeat(99_999));
  expect(event.crdtData.data).toBe('"'.repeat(99_999));
  expect(event).not.toHaveProperty('truncated');
  for (const large of [await write(w, '"'.repeat(100_000)), await write(w, 'a'.repeat(2_000_000))]) {
    expect(large).toMatchObject({ crdtData: { id: 'body' }, truncated: true });
    expect(large.crdtData).not.toHaveProperty('data');
  }
  const unheard = await write(withoutWebhook, 'Hello');
  expect(unheard).toMatchObject({ truncated: true });
  expect(unheard.crdtData).not.toHaveProperty('data');
});

test('characters that the database cannot store as text do not stop compaction', async () => {
  const w = await withWebhook();
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a\0b\ud800c'));
  await compactDueIn(QUIET);
  expect((await updateEventsOf(w))[0].crdtData.data).toBe('a\ufffdb\ufffdc');
});

test('large content is compacted only if that is worth it, and sends its event anyway', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  const type = (word: string) => writeLive(w, document, () => text.insert(0, word));
  await type('x'.repeat(400_000));
  await compactDueIn(QUIET);
  expect((await rowsOf(w)).log).toEqual([]);
  for (let at = 0; at < 3; at++) {
    await type('a');
    await compactDueIn(QUIET);
  }
  const { row, log } = await rowsOf(w);
  expect([row.snapshotVersion, row.dirtySince, log.length]).toEqual([1, null, 3]);
  expect(await updateEventsOf(w)).toHaveLength(4);
  await compactDueIn(QUIET);
  expect(await updateEventsOf(w)).toHaveLength(4);
  await type('y'.repeat(101_000));
  await compactDueIn(QUIET);
  expect([(await rowsOf(w)).row.snapshotVersion, (await rowsOf(w)).log.length]).toEqual([2, 0]);
  for (let at = 0; at < 200 + 501_003 / 2_048; at++) await type('b');
  await compactDueIn(QUIET);
  expect([(await rowsOf(w)).row.snapshotVersion, (await rowsOf(w)).log.length]).toEqual([3, 0]);
  expect(await contentOf(w)).toBe(text.toString());
});

test('compaction runs by itself until it is stopped', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  const begun = Date.now();
  const compaction = startCompaction(deps, { now: () => Date.now() + QUIET, pollEveryMs: 5 });
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a'));
  await until(async () => (await updateEventsOf(w)).length === 1, 'an event');
  expect(compaction.health().lastPollAt).toBeGreaterThanOrEqual(begun);
  await compaction.stop();
  await writeLive(w, document, () => document.getText('content').insert(0, 'b'));
  expect(await updateEventsOf(w)).toHaveLength(1);
  const other = new Doc();
  applyUpdate(other, encodeStateAsUpdate(document));
  expect(await contentOf(w)).toBe(other.getText('content').toString());
});
