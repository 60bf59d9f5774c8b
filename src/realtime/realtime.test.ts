import { expect, test } from 'vitest';
import { Doc, encodeStateVector } from 'yjs';
import { editor, isSaved, openClient, startNode, tokenOf, withDocument } from '../../test/live/live-node.ts';
import { until } from '../../test/run/until.ts';
import { testApp } from '../../test/service/harness.ts';
import { loadEditor } from '../store/live/crdt-log.ts';
import { applyStored } from './document/open-editor.ts';

const textOf = (document: Doc) => document.getText('content').toString();

test('two standard clients and a backend write one document, which is stored when they are acknowledged', async () => {
  const node = await startNode();
  const workspace = await withDocument();
  const { deps } = await testApp();
  const one = openClient(node.url, await tokenOf(workspace));
  const two = openClient(node.url, await tokenOf(workspace, { userId: 'bo' }));
  await until(() => isSaved(one) && isSaved(two), 'a connection');
  one.document.getText('content').insert(0, 'from one');
  await until(() => isSaved(one), 'an acknowledgment');
  const stored = new Doc();
  applyStored(stored, (await loadEditor(deps.db, workspace, editor))!);
  expect(textOf(stored)).toBe('from one');
  await until(() => textOf(two.document) === 'from one', 'the text at the other client');
  await node.realtime.editors.change(workspace, editor, (document) => {
    document.getText('content').insert(0, 'the backend and ');
  });
  await until(() => textOf(one.document) === 'the backend and from one', 'the text of the backend');
  await until(() => textOf(two.document) === 'the backend and from one', 'the text of the backend');
  expect(encodeStateVector(one.document)).toEqual(encodeStateVector(two.document));
  expect(node.errors).toEqual([]);
});
