import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { Doc, encodeStateAsUpdate } from 'yjs';
import {
  compactDueIn,
  contentOf,
  rowsOf,
  updateEventsOf,
  withWebhook,
  writeLive,
} from '../../../test/live/editor-rows.ts';
import { editor, withDocument } from '../../../test/live/live-node.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { testApp } from '../../../test/service/harness.ts';
import type { Db } from '../../db/tables.ts';
import { packUpdates } from '../../lib/update-list.ts';
import {
  lockUnchanged,
  markAnnounced,
  readDirtyEditor,
  replaceLog,
} from '../../store/live/crdt-compaction.ts';
import { openStored } from '../document/stored-content.ts';
import { compactDueEditors } from './compaction.ts';

const QUIET = 6_000;
const never = new AbortController().signal;

test('unreadable content delays no other editor, and stays as it is', async () => {
  expectLog(/the content of an editor cannot be read/);
  const [broken, sound] = [await withWebhook(), await withWebhook()];
  const { deps } = await testApp();
  for (const w of [broken, sound]) {
    await w.must('/v2/crdt/add', { ...editor, type: 'text', data: 'Hello' });
  }
  const payload = packUpdates([new Uint8Array([9, 9, 9, 9, 9])]);
  await sql`insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
    values (${broken.apiKeyId}, 'acme', 'home', 'body', ${payload}, ${Date.now()})`.execute(deps.db);
  await compactDueIn(QUIET);
  expect(await updateEventsOf(broken)).toMatchObject([{ truncated: true }]);
  expect((await rowsOf(broken)).log).toHaveLength(2);
  expect(await updateEventsOf(sound)).toMatchObject([{ crdtData: { data: 'Hello' } }]);
});

test('updates during a compaction stay in the log for the next one', async () => {
  const w = await withWebhook();
  const { deps } = await testApp();
  const document = new Doc();
  const text = document.getText('content');
  await writeLive(w, document, () => text.insert(0, 'one'));
  const key = { apiKeyId: w.apiKeyId, ...editor };
  const seen = (await readDirtyEditor(deps.db, key, { withContent: true }))!;
  await writeLive(w, document, () => text.insert(3, ' two'));
  const compacted = encodeStateAsUpdate(openStored(seen));
  await deps.db.transaction().execute(async (tx) => {
    expect(await lockUnchanged(tx, key, seen)).toBe(true);
    await replaceLog(tx, key, seen, compacted);
    await markAnnounced(tx, key, seen);
  });
  const { row, log } = await rowsOf(w);
  expect(log).toHaveLength(1);
  expect(row).toMatchObject({ snapshotVersion: 1, dirtySince: log[0]!.createdAt });
  expect(await contentOf(w)).toBe('one two');
  const again = await deps.db.transaction().execute((tx) => lockUnchanged(tx, key, seen));
  expect(again).toBe(false);
  await compactDueIn(QUIET);
  expect(await updateEventsOf(w)).toMatchObject([{ crdtData: { data: 'one two' } }]);
});

test('several nodes that compact at once send one event', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  const document = new Doc();
  for (const word of ['a', 'b']) {
    await writeLive(w, document, () => document.getText('content').insert(0, word));
  }
  const look = () => compactDueEditors(deps, Date.now() + QUIET, never);
  await Promise.all([look(), look(), look()]);
  await compactDueIn(QUIET);
  expect(await updateEventsOf(w)).toHaveLength(1);
  expect((await rowsOf(w)).row.snapshotVersion).toBe(1);
  expect(await contentOf(w)).toBe('ba');
});

test('concurrent writers, compactions and snapshots lose nothing and do not fail', async () => {
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
      // Gives the writers a turn, like the interval of the real compaction.
      await new Promise((done) => setTimeout(done, 10));
    }
    return times;
  };
  await write(-1);
  const others = [
    repeat(() => compactDueEditors(deps, Date.now() + 60_000, never)),
    repeat(() => compactDueEditors(deps, Date.now() + 60_000, never)),
    repeat(() => w.must('/v2/crdt/snapshots/create', editor)),
  ];
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  isWriting.abort();
  expect(Math.min(...(await Promise.all(others)))).toBeGreaterThan(0);
  expect(Object.keys((await contentOf(w)) as object)).toHaveLength(9 * 15);
  await compactDueIn(QUIET);
  expect(Object.keys((await contentOf(w)) as object)).toHaveLength(9 * 15);
  expect((await rowsOf(w)).row.snapshotVersion).toBeGreaterThan(0);
});

/** The same database with one statement that fails. `reached` is true once it has been executed. */
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

test('a failure of any statement loses nothing, and the next compaction completes', async () => {
  expectLog(/cannot be compacted.*Statement \d failed/);
  const { deps } = await testApp();
  await compactDueIn(QUIET);
  let statement = 1;
  for (let reached = true; reached; statement++) {
    const w = await withDocument();
    const document = new Doc();
    await writeLive(w, document, () => document.getText('content').insert(0, 'Hello'));
    const before = await rowsOf(w);
    const failing = failingAt(deps.db, statement);
    await compactDueEditors({ ...deps, db: failing.db }, Date.now() + QUIET, never).catch(() => {});
    reached = failing.reached();
    if (reached) {
      const { row, log } = await rowsOf(w);
      expect({ row: { ...row, dirtySince: 0 }, log }).toEqual({
        ...before,
        row: { ...before.row, dirtySince: 0 },
      });
      expect([await updateEventsOf(w), row.dirtySince === null]).toEqual([[], false]);
    }
    await compactDueIn(120_000);
    expect(await updateEventsOf(w)).toHaveLength(1);
    expect(await contentOf(w)).toBe('Hello');
  }
  expect(statement).toBeGreaterThan(6);
});

test('an editor whose compaction failed is postponed', async () => {
  expectLog(/cannot be compacted.*Statement 3 failed/);
  const { deps } = await testApp();
  const w = await withDocument();
  const document = new Doc();
  await writeLive(w, document, () => document.getText('content').insert(0, 'Hello'));
  const failing = failingAt(deps.db, 3);
  const now = Date.now() + QUIET;
  await compactDueEditors({ ...deps, db: failing.db }, now, never);
  expect(failing.reached()).toBe(true);
  await compactDueEditors(deps, now + 1_000, never);
  expect(await updateEventsOf(w)).toEqual([]);
  await compactDueEditors(deps, now + 61_000, never);
  expect(await updateEventsOf(w)).toHaveLength(1);
});
