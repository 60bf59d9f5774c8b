import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { applyUpdate, Doc, encodeStateAsUpdate, encodeStateVector } from 'yjs';
import { appendLive, lookAhead, rowsOf, toldOf, writeLive } from '../../test/editor-rows.ts';
import { type TestWorkspace, testApp } from '../../test/harness.ts';
import { editor, until, withDocument } from '../../test/live-node.ts';
import type { Db } from '../db/tables.ts';
import { packUpdates } from '../lib/update-list.ts';
import { foldEditor, holdSeen, markTold, seeEditor } from '../store/crdt-upkeep.ts';
import { openStored } from './stored-content.ts';
import { lookAfterEditors, startUpkeep } from './upkeep.ts';

const QUIET = 6_000;
const never = new AbortController().signal;

const contentOf = async (w: TestWorkspace) => (await w.must('/v2/crdt/get', editor))[0]?.data;
const storedOf = async (w: TestWorkspace): Promise<Doc> => {
  const { row, log } = await rowsOf(w);
  return openStored({ snapshot: row.snapshot, updates: Buffer.concat(log.map(({ payload }) => payload)) });
};

/** Somebody listens to what happens in the workspace. */
async function withWebhook(): Promise<TestWorkspace> {
  const w = await withDocument();
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  await w.must('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://example.com/' });
  return w;
}

test('what was written is folded, says the same as before, and can be written on', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  for (let at = 0; at < 30; at++) {
    await writeLive(w, document, () => {
      text.insert(at % (text.length + 1), `word ${at} `);
      if (at % 3 === 0) text.delete(0, 2);
    });
  }
  const [before, unfolded] = [await contentOf(w), await storedOf(w)];
  expect(before).toBe(text.toString());
  expect((await rowsOf(w)).log).toHaveLength(30);
  await lookAhead(QUIET);
  const { row, log } = await rowsOf(w);
  expect(log).toEqual([]);
  expect(row).toMatchObject({ snapshotVersion: 1, dirtySince: null, lastUpdatedBy: 'ada' });
  expect(await contentOf(w)).toBe(before);
  expect(encodeStateVector(await storedOf(w))).toEqual(encodeStateVector(unfolded));
  await writeLive(w, document, () => text.insert(0, 'and on '));
  await w.must('/v2/crdt/update', { ...editor, type: 'text', data: `${text.toString()}!` });
  expect(await contentOf(w)).toBe(`${text.toString()}!`);
  await lookAhead(QUIET);
  expect(await contentOf(w)).toBe(`${text.toString()}!`);
  expect((await rowsOf(w)).row.snapshotVersion).toBe(2);
});

test('an update that waits for an earlier one survives being folded', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(update));
  for (const word of ['one ', 'two ', 'three']) text.insert(text.length, word);
  await appendLive(w, [updates[0]!, updates[2]!]);
  await lookAhead(QUIET);
  expect(await contentOf(w)).toBe('one ');
  await appendLive(w, [updates[1]!]);
  expect(await contentOf(w)).toBe('one two three');
});

test('it is told once for every time that it is left alone', async () => {
  const w = await withWebhook();
  const document = new Doc();
  const text = document.getText('content');
  for (const word of ['a', 'b', 'c']) await writeLive(w, document, () => text.insert(0, word));
  await lookAhead(1_000);
  expect(await toldOf(w)).toEqual([]);
  await lookAhead(QUIET);
  await lookAhead(60_000);
  expect(await toldOf(w)).toEqual([
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
  await lookAhead(QUIET);
  const [, second, ...more] = await toldOf(w);
  expect(more).toEqual([]);
  expect(second).not.toHaveProperty('actionUser');
  expect(second.crdtData).toMatchObject({ data: 'changed', lastUpdatedBy: null, sessionId: null });
});

test('of whoever writes on and on it is told every 20 seconds', async () => {
  const w = await withDocument();
  const document = new Doc();
  const { deps } = await testApp();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a'));
  const since = (agoMs: number) =>
    sql`update crdt_editors set dirty_since = ${Date.now() - agoMs} where api_key_id = ${w.apiKeyId}`.execute(
      deps.db,
    );
  await since(19_000);
  await lookAhead(0);
  expect(await toldOf(w)).toHaveLength(0);
  await since(20_000);
  await lookAhead(0);
  expect(await toldOf(w)).toHaveLength(1);
  expect((await rowsOf(w)).log).toEqual([]);
});

test('an added editor is told of, too', async () => {
  const w = await withWebhook();
  await w.must('/v2/crdt/add', { ...editor, type: 'map', data: { a: [1] } });
  await lookAhead(QUIET);
  expect(await toldOf(w)).toMatchObject([{ crdtData: { data: { a: [1] } } }]);
});

test('content is told only where it is small and somebody listens', async () => {
  const [w, deaf] = [await withWebhook(), await withDocument()];
  const write = async (of: TestWorkspace, data: string) => {
    const { status } = await of.post('/v2/crdt/add', { ...editor, type: 'text', data });
    if (status !== 200) await of.must('/v2/crdt/update', { ...editor, type: 'text', data });
    await lookAhead(QUIET);
    return (await toldOf(of)).at(-1);
  };
  const told = await write(w, '"'.repeat(99_999));
  expect(told.crdtData.data).toBe('"'.repeat(99_999));
  expect(told).not.toHaveProperty('truncated');
  for (const large of [await write(w, '"'.repeat(100_000)), await write(w, 'a'.repeat(2_000_000))]) {
    expect(large).toMatchObject({ crdtData: { id: 'body' }, truncated: true });
    expect(large.crdtData).not.toHaveProperty('data');
  }
  const unheard = await write(deaf, 'Hello');
  expect(unheard).toMatchObject({ truncated: true });
  expect(unheard.crdtData).not.toHaveProperty('data');
});

test('what the database cannot hold as text does not stop it', async () => {
  const w = await withWebhook();
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a\0b\ud800c'));
  await lookAhead(QUIET);
  expect((await toldOf(w))[0].crdtData.data).toBe('a\ufffdb\ufffdc');
});

test('large content is folded only where that is worth it, and told of all the same', async () => {
  const w = await withDocument();
  const document = new Doc();
  const text = document.getText('content');
  const type = (word: string) => writeLive(w, document, () => text.insert(0, word));
  await type('x'.repeat(400_000));
  await lookAhead(QUIET);
  expect((await rowsOf(w)).log).toEqual([]);
  for (let at = 0; at < 3; at++) {
    await type('a');
    await lookAhead(QUIET);
  }
  const { row, log } = await rowsOf(w);
  expect([row.snapshotVersion, row.dirtySince, log.length]).toEqual([1, null, 3]);
  expect(await toldOf(w)).toHaveLength(4);
  await lookAhead(QUIET);
  expect(await toldOf(w)).toHaveLength(4);
  await type('y'.repeat(101_000));
  await lookAhead(QUIET);
  expect([(await rowsOf(w)).row.snapshotVersion, (await rowsOf(w)).log.length]).toEqual([2, 0]);
  for (let at = 0; at < 200; at++) await type('b');
  await lookAhead(QUIET);
  expect([(await rowsOf(w)).row.snapshotVersion, (await rowsOf(w)).log.length]).toEqual([3, 0]);
  expect(await contentOf(w)).toBe(text.toString());
});

test('content that cannot be read holds up nobody, and is kept as it is', async () => {
  const [broken, sound] = [await withWebhook(), await withWebhook()];
  const { deps } = await testApp();
  for (const w of [broken, sound]) {
    await w.must('/v2/crdt/add', { ...editor, type: 'text', data: 'Hello' });
  }
  const payload = packUpdates([new Uint8Array([9, 9, 9, 9, 9])]);
  await sql`insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
    values (${broken.apiKeyId}, 'acme', 'home', 'body', ${payload}, ${Date.now()})`.execute(deps.db);
  await lookAhead(QUIET);
  expect(await toldOf(broken)).toMatchObject([{ truncated: true }]);
  expect((await rowsOf(broken)).log).toHaveLength(2);
  expect(await toldOf(sound)).toMatchObject([{ crdtData: { data: 'Hello' } }]);
});

test('what is written while it is being folded stays in the log, and is told of the next time', async () => {
  const w = await withWebhook();
  const { deps } = await testApp();
  const document = new Doc();
  const text = document.getText('content');
  await writeLive(w, document, () => text.insert(0, 'one'));
  const key = { apiKeyId: w.apiKeyId, ...editor };
  const seen = (await seeEditor(deps.db, key, { withContent: true }))!;
  await writeLive(w, document, () => text.insert(3, ' two'));
  const folded = encodeStateAsUpdate(openStored(seen));
  await deps.db.transaction().execute(async (tx) => {
    expect(await holdSeen(tx, key, seen)).toBe(true);
    await foldEditor(tx, key, seen, folded);
    await markTold(tx, key, seen);
  });
  const { row, log } = await rowsOf(w);
  expect(log).toHaveLength(1);
  expect(row).toMatchObject({ snapshotVersion: 1, dirtySince: log[0]!.createdAt });
  expect(await contentOf(w)).toBe('one two');
  const again = await deps.db.transaction().execute((tx) => holdSeen(tx, key, seen));
  expect(again).toBe(false);
  await lookAhead(QUIET);
  expect(await toldOf(w)).toMatchObject([{ crdtData: { data: 'one two' } }]);
});

test('several nodes that look at once tell of it once', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  const document = new Doc();
  for (const word of ['a', 'b']) {
    await writeLive(w, document, () => document.getText('content').insert(0, word));
  }
  const look = () => lookAfterEditors(deps, Date.now() + QUIET, never);
  await Promise.all([look(), look(), look()]);
  await lookAhead(QUIET);
  expect(await toldOf(w)).toHaveLength(1);
  expect((await rowsOf(w)).row.snapshotVersion).toBe(1);
  expect(await contentOf(w)).toBe('ba');
});

test('while several write, nodes fold and snapshots are made, nothing is lost and nobody fails', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  const isWriting = new AbortController();
  const write = async (writer: number) => {
    const document = new Doc();
    for (let at = 0; at < 15; at++) {
      await writeLive(w, document, () => document.getMap('content').set(`${writer}-${at}`, at));
    }
  };
  const repeat = async (work: () => Promise<unknown>) => {
    let times = 0;
    for (; !isWriting.signal.aborted; times++) {
      await work();
      await new Promise((done) => setTimeout(done, 10));
    }
    return times;
  };
  await write(-1);
  const others = [
    repeat(() => lookAfterEditors(deps, Date.now() + 60_000, never)),
    repeat(() => lookAfterEditors(deps, Date.now() + 60_000, never)),
    repeat(() => w.must('/v2/crdt/snapshots/create', editor)),
  ];
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  isWriting.abort();
  expect(Math.min(...(await Promise.all(others)))).toBeGreaterThan(0);
  expect(Object.keys((await contentOf(w)) as object)).toHaveLength(9 * 15);
  await lookAhead(QUIET);
  expect(Object.keys((await contentOf(w)) as object)).toHaveLength(9 * 15);
  expect((await rowsOf(w)).row.snapshotVersion).toBeGreaterThan(0);
});

/** The same database, with one statement that fails; `reached` tells whether it came to that one. */
function failingAt(db: Db, statement: number): { db: Db; reached(): boolean } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      if (count === statement) throw new Error(`Statement ${statement} failed.`);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), reached: () => count >= statement };
}

test('whichever statement fails, nothing is lost, and the next look does all of it', async () => {
  const { deps } = await testApp();
  await lookAhead(QUIET);
  let statement = 1;
  for (let reached = true; reached; statement++) {
    const w = await withDocument();
    const document = new Doc();
    await writeLive(w, document, () => document.getText('content').insert(0, 'Hello'));
    const before = await rowsOf(w);
    const failing = failingAt(deps.db, statement);
    await lookAfterEditors({ ...deps, db: failing.db }, Date.now() + QUIET, never).catch(() => {});
    reached = failing.reached();
    if (reached) {
      const { row, log } = await rowsOf(w);
      expect({ row: { ...row, dirtySince: 0 }, log }).toEqual({
        ...before,
        row: { ...before.row, dirtySince: 0 },
      });
      expect([await toldOf(w), row.dirtySince === null]).toEqual([[], false]);
    }
    await lookAhead(120_000);
    expect(await toldOf(w)).toHaveLength(1);
    expect(await contentOf(w)).toBe('Hello');
  }
  expect(statement).toBeGreaterThan(6);
});

test('one that could not be looked after is left alone for a while', async () => {
  const { deps } = await testApp();
  const w = await withDocument();
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'Hello'));
  const failing = failingAt(deps.db, 3);
  const now = Date.now() + QUIET;
  await lookAfterEditors({ ...deps, db: failing.db }, now, never);
  expect(failing.reached()).toBe(true);
  await lookAfterEditors(deps, now + 1_000, never);
  expect(await toldOf(w)).toEqual([]);
  await lookAfterEditors(deps, now + 61_000, never);
  expect(await toldOf(w)).toHaveLength(1);
});

test('it looks by itself until it is stopped', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  const begun = Date.now();
  const upkeep = startUpkeep(deps, { now: () => Date.now() + QUIET, lookEveryMs: 5 });
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'a'));
  await until(async () => (await toldOf(w)).length === 1, 'an event');
  expect(upkeep.health().lastLookAt).toBeGreaterThanOrEqual(begun);
  await upkeep.stop();
  await writeLive(w, document, () => document.getText('content').insert(0, 'b'));
  await new Promise((done) => setTimeout(done, 50));
  expect(await toldOf(w)).toHaveLength(1);
  const other = new Doc();
  applyUpdate(other, encodeStateAsUpdate(document));
  expect(await contentOf(w)).toBe(other.getText('content').toString());
});
