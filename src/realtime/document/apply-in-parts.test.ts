import { Document } from '@hocuspocus/server';
import { expect, test } from 'vitest';
import { Doc, encodeStateAsUpdate, encodeStateVector, XmlElement, XmlText } from 'yjs';
import { packUpdates } from '../../lib/update-list.ts';
import { hooksOf } from '../connection/hocuspocus-hooks.ts';
import { syncKinds } from '../connection/hocuspocus-message.ts';
import { defaultLimits } from '../protocol/realtime-limits.ts';
import { applyInTurn, untilApplied } from './apply-in-parts.ts';
import type { ContentPool } from './content-pool.ts';
import { doContentTask } from './content-tasks.ts';
import { newOpenEditor, type OpenEditor } from './open-editor.ts';
import { sliceUpdate } from './slice-update.ts';

const key = { apiKeyId: 'key', organizationId: 'acme', documentId: 'home', editorId: 'body' };
const textOf = (document: Doc) => document.getXmlFragment('content').toString();

/** A pool that cuts updates into the smallest parts once `go` resolves. */
function pausedPool() {
  const go = Promise.withResolvers<void>();
  const owners: string[] = [];
  const pool = {
    async run(owner: string, prepare: () => { updates: Uint8Array[] }) {
      owners.push(owner);
      await go.promise;
      const { updates } = prepare();
      const limits = { structs: 1, length: 1, ranges: 1 };
      return { slices: packUpdates(updates.flatMap((update) => sliceUpdate(update, limits))) };
    },
    close: async () => {},
  } as unknown as ContentPool;
  return { pool, owners, go };
}

function newEditorWithUpdate() {
  const source = new Doc();
  const fragment = source.getXmlFragment('content');
  const grow = (words: string) => {
    const paragraph = new XmlElement('p');
    paragraph.insert(0, [new XmlText(words)]);
    return paragraph;
  };
  fragment.insert(
    0,
    Array.from({ length: 300 }, (_, at) => grow(`before ${at}`)),
  );
  const editor = newOpenEditor(key, new Document('acme/home/body'));
  void applyInTurn(editor, [encodeStateAsUpdate(source)], 'none');
  editor.bytes = 1_000_000;
  const announced: Uint8Array[] = [];
  editor.document.on('update', (update: Uint8Array) => announced.push(update));
  const before = encodeStateVector(source);
  fragment.delete(0, 150);
  fragment.insert(
    0,
    Array.from({ length: 300 }, (_, at) => grow(`after ${at}`)),
  );
  return { source, editor, announced, update: encodeStateAsUpdate(source, before) };
}

/** Handles messages of a client like the engine, and collects stored updates. */
function clientOf(editor: OpenEditor, added: Uint8Array[] = []) {
  const hooks = hooksOf({
    load: async () => {},
    keepOpen: () => {},
    openEditorOf: () => editor,
    log: { isFull: () => false, add: (_editor, update) => added.push(update) },
    limits: defaultLimits,
    refusalOf: () => undefined,
  });
  const gate = { close: (cause: string) => expect.unreachable(cause) };
  return (type: number, payload: Uint8Array) =>
    hooks.beforeSync!({
      type,
      payload,
      connection: {
        document: editor.document,
        socketId: 'socket',
        context: { gate, user: { userId: 'ada' } },
      },
    } as unknown as Parameters<NonNullable<typeof hooks.beforeSync>>[0]);
}

test('a large update is applied in parts, and announced once, when it is complete', async () => {
  const { source, editor, announced, update } = newEditorWithUpdate();
  const { pool, owners, go } = pausedPool();
  const old = textOf(editor.document);
  const applied = applyInTurn(editor, [update], 'updates', pool);
  expect(editor.applying).toBeDefined();
  await expect.poll(() => owners).toEqual(['open key']);
  expect(textOf(editor.document)).toBe(old);
  go.resolve();
  await applied;
  expect(announced).toEqual([update]);
  expect(textOf(editor.document)).toBe(textOf(source));
  await untilApplied(editor);
  expect(editor.applying).toBeUndefined();
});

test('updates that arrive while parts are applied are applied after them', async () => {
  const { source, editor, announced, update } = newEditorWithUpdate();
  const { pool, go } = pausedPool();
  const before = encodeStateVector(source);
  source.getXmlFragment('content').insert(0, [new XmlText('last')]);
  const small = encodeStateAsUpdate(source, before);
  const first = applyInTurn(editor, [update], 'updates', pool);
  const second = applyInTurn(editor, [small], 'updates', pool);
  expect(second).toBeDefined();
  go.resolve();
  await Promise.all([first, second]);
  expect(textOf(editor.document)).toBe(textOf(source));
  expect(editor.document.store.pendingStructs).toBeNull();
  expect(announced[0]).toEqual(update);
  expect(announced).toHaveLength(2);
});

test('a message from a client waits until all parts are applied', async () => {
  const { source, editor, update } = newEditorWithUpdate();
  const { pool, go } = pausedPool();
  const hooks = hooksOf({
    load: async () => {},
    keepOpen: () => {},
    openEditorOf: () => editor,
    log: { isFull: () => false, add: () => {} },
    limits: defaultLimits,
    refusalOf: () => undefined,
  });
  const message = {
    type: syncKinds.step1,
    connection: { document: editor.document },
  } as unknown as Parameters<NonNullable<typeof hooks.beforeSync>>[0];
  const applied = applyInTurn(editor, [update], 'updates', pool);
  let seen: string | undefined;
  const handled = Promise.resolve(hooks.beforeSync!(message)).then(() => {
    seen = textOf(editor.document);
  });
  // A fence: a message of a client to another document is handled.
  const other = newEditorWithUpdate();
  await clientOf(other.editor)(syncKinds.step1, new Uint8Array([0]));
  expect(seen).toBeUndefined();
  go.resolve();
  await Promise.all([applied, handled]);
  expect(seen).toBe(textOf(source));
});

test('a waiting message goes on waiting while an earlier one is applied in parts', async () => {
  const { source, editor, update } = newEditorWithUpdate();
  const { pool, go } = pausedPool();
  const send = clientOf(editor);
  const before = encodeStateVector(source);
  source.getXmlFragment('content').delete(0, 300);
  const deletion = encodeStateAsUpdate(source, before);
  const applied = applyInTurn(editor, [update], 'updates', pool);
  const writing = send(syncKinds.update, deletion);
  let seen: string | undefined;
  const reading = Promise.resolve(send(syncKinds.step1, new Uint8Array([0]))).then(() => {
    seen = textOf(editor.document);
  });
  go.resolve();
  await Promise.all([applied, writing, reading]);
  expect(seen).toBe(textOf(source));
});

test('an update that no thread can slice is applied at once', async () => {
  const { source, editor, update } = newEditorWithUpdate();
  const pool = {
    run: () => Promise.reject(new Error('None is free.')),
    close: async () => {},
  } as unknown as ContentPool;
  await applyInTurn(editor, [update], 'updates', pool);
  expect(textOf(editor.document)).toBe(textOf(source));
});

test('small updates, and those of small documents, are applied at once', () => {
  const { source, editor, update } = newEditorWithUpdate();
  editor.bytes = 1_000;
  expect(applyInTurn(editor, [update], 'updates')).toBeUndefined();
  expect(textOf(editor.document)).toBe(textOf(source));
});

test('a compaction in a thread returns content only up to the limit', () => {
  const document = new Doc();
  document.getText('content').insert(0, 'Hello');
  const stored = { snapshot: encodeStateAsUpdate(document), updates: null };
  const declared = { type: 'text', contentKey: 'content' } as const;
  const compact = (maxBytes: number) => doContentTask({ name: 'compact', stored, declared, maxBytes });
  expect(compact(7)).toMatchObject({ json: new TextEncoder().encode('"Hello"') });
  expect(compact(6)).toMatchObject({ json: undefined, state: stored.snapshot });
});

test('a small update that deletes much is stored once, and applied in parts', async () => {
  const { source, editor, announced } = newEditorWithUpdate();
  void applyInTurn(editor, [encodeStateAsUpdate(source)], 'none');
  await untilApplied(editor);
  const added: Uint8Array[] = [];
  const send = clientOf(editor, added);
  const before = encodeStateVector(source);
  source.getXmlFragment('content').delete(0, 300);
  const update = encodeStateAsUpdate(source, before);
  let transactions = 0;
  announced.length = 0;
  editor.document.on('afterTransaction', () => {
    transactions += 1;
  });
  await send(syncKinds.update, update);
  expect(textOf(editor.document)).toBe(textOf(source));
  expect(added).toEqual([update]);
  expect(announced).toEqual([update]);
  expect(transactions).toBeGreaterThan(10);
  // Repeating a known update, as clients do when they join, stores nothing.
  await send(syncKinds.update, update);
  expect(added).toHaveLength(1);
});
