import { expect, test } from 'vitest';
import { Doc } from 'yjs';
import {
  editor,
  isSaved,
  openClient,
  startNode,
  tokenOf,
  withDocument,
} from '../../../test/live/live-node.ts';
import { until } from '../../../test/run/until.ts';
import { testApp } from '../../../test/service/harness.ts';
import type { Db } from '../../db/tables.ts';
import { loadEditor } from '../../store/live/crdt-log.ts';
import { applyStored, newOpenEditor, type OpenEditor } from '../document/open-editor.ts';
import { AppendLog, EditorGone } from './append-log.ts';

const nobody = { userId: null, sessionId: null };

/** A database that throws while `fault` is set. */
function faulty(db: Db): { db: Db; state: { fault: Error | undefined } } {
  const state: { fault: Error | undefined } = { fault: undefined };
  const proxy = new Proxy(db, {
    get(target, name) {
      if ((name === 'getExecutor' || name === 'executeQuery') && state.fault) throw state.fault;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { db: proxy, state };
}

async function startLog() {
  const { deps } = await testApp();
  const workspace = await withDocument();
  const { db, state } = faulty(deps.db);
  const gone: OpenEditor[] = [];
  const lost: OpenEditor[] = [];
  const errors: unknown[] = [];
  const stored: string[] = [];
  const log = new AppendLog({
    db,
    collectMs: 1,
    onStored: async ({ key }) => void stored.push(key.editorId),
    onGone: (one) => gone.push(one),
    onLost: (one) => lost.push(one),
    onError: (error) => errors.push(error),
  });
  const open = (place: Partial<typeof editor> = {}) =>
    newOpenEditor({ apiKeyId: workspace.apiKeyId, ...editor, ...place }, new Doc() as never);
  const read = async (place: Partial<typeof editor> = {}) => {
    const found = await loadEditor(deps.db, workspace, { ...editor, ...place });
    const document = new Doc();
    if (found) applyStored(document, found);
    return document.getText('content').toString();
  };
  return { deps, workspace, log, state, gone, lost, errors, stored, open, read };
}

const updateOf = (text: string): Uint8Array => {
  const document = new Doc();
  let update: Uint8Array = new Uint8Array();
  document.on('update', (one: Uint8Array) => {
    update = one;
  });
  document.getText('content').insert(0, text);
  return update;
};

test('updates during an outage of the database are stored afterwards, and not acknowledged before', async () => {
  const { log, state, errors, stored, open, read } = await startLog();
  const one = open();
  state.fault = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  log.add(one, updateOf('first'), nobody);
  const settled = log.settled(one)!;
  let isSettled = false;
  void settled.then(() => {
    isSettled = true;
  });
  await until(() => errors.length > 0, 'a failure');
  log.add(one, updateOf('second'), nobody);
  expect([isSettled, stored]).toEqual([false, []]);
  expect(log.oldestMs()).toBeGreaterThan(0);
  state.fault = undefined;
  await settled;
  await log.settled(one);
  const text = await read();
  expect([text.includes('first'), text.includes('second'), log.settled(one)]).toEqual([
    true,
    true,
    undefined,
  ]);
});

test('an update that cannot be stored fails alone', async () => {
  const { log, errors, open, read } = await startLog();
  const [good, bad] = [open({ editorId: 'good' }), open({ editorId: 'bad\0' })];
  log.add(good, updateOf('kept'), nobody);
  log.add(bad, updateOf('lost'), nobody);
  const outcomes = await Promise.allSettled([log.settled(good), log.settled(bad)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(errors).toHaveLength(1);
  expect(await read({ editorId: 'good' })).toBe('kept');
});

test('updates of an editor that was deleted, or created again meanwhile, are not stored', async () => {
  const { deps, workspace, log, gone, open, read } = await startLog();
  const one = open();
  log.add(one, updateOf('old'), nobody);
  await log.settled(one);
  expect(one.incarnation).toBe(one.newIncarnation);
  await workspace.must('/v2/crdt/delete', { organizationId: 'acme', documentId: 'home' });
  const next = open();
  log.add(next, updateOf('new'), nobody);
  await log.settled(next);
  log.add(one, updateOf('late'), nobody);
  await expect(log.settled(one)).rejects.toThrow(EditorGone);
  expect(gone).toEqual([one]);
  expect(await read()).toBe('new');
  const nowhere = open({ documentId: 'none' });
  log.add(nowhere, updateOf('x'), nobody);
  await expect(log.settled(nowhere)).rejects.toThrow(EditorGone);
  const rows = await deps.db
    .selectFrom('crdtUpdates')
    .select('seq')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(rows).toHaveLength(1);
});

test('updates of many editors are stored in one group', async () => {
  const { log, stored, open, read } = await startLog();
  const many = Array.from({ length: 50 }, (_, index) => open({ editorId: `e${index}` }));
  for (const one of many) for (const text of ['a', 'b', 'c']) log.add(one, updateOf(text), nobody);
  await Promise.all(many.map((one) => log.settled(one)));
  expect(new Set(stored).size).toBe(50);
  expect((await read({ editorId: 'e7' })).split('').sort().join('')).toBe('abc');
});

test('the last author is stored with the editor', async () => {
  const node = await startNode();
  const workspace = await withDocument();
  const client = openClient(node.url, await tokenOf(workspace, { userId: 'bo' }));
  await until(() => isSaved(client), 'a connection');
  const before = Date.now();
  client.document.getText('content').insert(0, 'typed');
  await until(() => isSaved(client), 'an acknowledgment');
  const [found] = await workspace.must('/v2/crdt/get', editor);
  expect(found).toEqual({
    id: 'body',
    data: 'typed',
    lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    lastUpdatedBy: 'bo',
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(Date.parse(found.lastUpdate)).toBeGreaterThanOrEqual(before);
});

test('updates right before a stop are stored, and the event loop keeps turning meanwhile', async () => {
  const { log, open, read } = await startLog();
  log.add(open(), updateOf('last words'), nobody);
  await log.stop(3_000);
  expect(await read()).toBe('last words');
});
