import { expect, test } from 'vitest';
import { createClient, isRedpenError } from '../../packages/client/src/index.ts';
import { runMigration } from '../../src/store/documents/document-migrations.ts';
import { editor as body, place, tokenOf } from '../live/live-node.ts';
import { until } from '../run/until.ts';
import { testApp } from '../service/harness.ts';
import { contentOf, ended, httpOf, newStage, open, textOf } from './editor-stage.ts';

test('an editor whose access is taken away ends, and is not opened again', async () => {
  const { node, workspace, clientOf } = await newStage({ accessType: 'organizationPrivate' });
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'vic' }] });
  const editor = open(clientOf('vic', { resources: [] }));
  await editor.synced;
  await workspace.must('/v1/users/delete', { organizationId: 'acme', userIds: ['vic'] });
  const { status, error } = await ended(editor);
  expect(status).toBe('ended');
  expect(error).toMatchObject({
    status: 'PERMISSION_DENIED',
    code: 'no-access',
    message: 'User does not have access to document',
  });
  await until(() => node.realtime.health().connections === 0, 'the connection to be closed');
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'vic' }] });
  editor.reconnect();
  await until(() => editor.status === 'live', 'the editor to be open again');
});

test('a deleted document is told apart from one without access', async () => {
  const { workspace, clientOf } = await newStage();
  const editor = open(clientOf('ada'));
  await editor.synced;
  await workspace.must('/v2/organizations/documents/delete', {
    organizationId: 'acme',
    documentIds: ['home'],
  });
  const { status, error } = await ended(editor);
  expect([status, error?.code, error?.message]).toEqual([
    'ended',
    'document-deleted',
    'The document was deleted.',
  ]);
});

test.each([
  [
    'the document is deleted',
    'document-gone',
    { documentIds: ['home'] },
    '/v2/organizations/documents/delete',
  ],
  ['only the editor is deleted', 'editor-deleted', { ...place, editorIds: ['body'] }, '/v2/crdt/delete'],
])('a user who writes while %s learns it at once', async (_, code, data, path) => {
  // Rights are not checked during the test, so that the change comes first.
  const { workspace, clientOf } = await newStage({}, { checkRightsEveryMs: 3_600_000 });
  const editor = open(clientOf('ada'));
  await editor.synced;
  contentOf(editor).insert(0, 'kept');
  await until(() => editor.get().saved, 'being saved');
  await workspace.must(path, { organizationId: 'acme', ...data });
  contentOf(editor).insert(4, ' and lost');
  const { status, error, saved } = await ended(editor);
  expect([status, error?.status, error?.code]).toEqual(['ended', 'NOT_FOUND', code]);
  expect(saved).toBe(false);
  expect(textOf(editor)).toBe('kept and lost');
});

test('a migrated document names its new id, where the same content goes on', async () => {
  const { workspace, clientOf } = await newStage();
  const redpen = clientOf('ada');
  const editor = open(redpen);
  await editor.synced;
  contentOf(editor).insert(0, 'before');
  await until(() => editor.get().saved, 'being saved');
  const { migrationId } = await workspace.must('/v2/organizations/documents/migrate', {
    ...place,
    newDocumentId: 'house',
  });
  const { deps } = await testApp();
  const { workspaceId, apiKeyId } = workspace;
  const ref = { workspaceId, apiKeyId, organizationId: 'acme', migrationId };
  await runMigration(deps.db, ref, new AbortController().signal);
  const { status, error, newDocumentId } = await ended(editor);
  expect([status, error?.code, newDocumentId]).toEqual(['ended', 'document-migrated', 'house']);
  contentOf(editor).insert(6, ' and after');
  const next = open(redpen, { documentId: newDocumentId!, ydoc: editor.ydoc });
  await next.synced;
  await until(() => next.get().saved, 'being saved');
  const stored = await workspace.must('/v2/crdt/get', { ...body, documentId: 'house' });
  expect(stored[0].data).toBe('before and after');
});

test('a deleted editor ends, and its content stays readable', async () => {
  const { node, workspace, clientOf } = await newStage();
  const editor = open(clientOf('ada'));
  await editor.synced;
  contentOf(editor).insert(0, 'kept');
  await until(() => editor.get().saved, 'being saved');
  await node.post('/v2/crdt/delete', { ...place, editorIds: ['body'] }, workspace.keyHeaders);
  const { status, error } = await ended(editor);
  expect(status).toBe('ended');
  expect(error).toMatchObject({
    status: 'NOT_FOUND',
    code: 'editor-deleted',
    message: 'The editor was deleted.',
  });
  expect(textOf(editor)).toBe('kept');
});

test('a restored snapshot arrives as a change', async () => {
  const { node, workspace, clientOf } = await newStage();
  const editor = open(clientOf('ada'));
  await editor.synced;
  contentOf(editor).insert(0, 'first');
  await until(() => editor.get().saved, 'being saved');
  const { snapshotId } = await workspace.must('/v2/crdt/snapshots/create', { ...body, name: 'first' });
  contentOf(editor).insert(5, ' and second');
  await until(() => editor.get().saved, 'being saved');
  await node.post('/v2/crdt/snapshots/restore', { ...body, snapshotId }, workspace.keyHeaders);
  await until(() => textOf(editor) === 'first', 'the restored text');
  expect(editor.status).toBe('live');
});

test.each([
  ['a document that does not exist', { documentId: 'none' }, 'PERMISSION_DENIED', 'no-access'],
  ['an empty editor id', { editorId: '' }, 'INVALID_ARGUMENT', 'wrong-name'],
  ['an id with a NUL', { editorId: 'a\0b' }, 'INVALID_ARGUMENT', 'wrong-name'],
  ['an empty document id', { documentId: '' }, 'INVALID_ARGUMENT', undefined],
  ['too long an id', { organizationId: 'x'.repeat(5_000) }, 'INVALID_ARGUMENT', undefined],
])('%s fails without another try', async (_, wrong, status, code) => {
  const { node, clientOf } = await newStage();
  const editor = open(clientOf('ada'), wrong);
  const error = await editor.synced.catch((thrown: unknown) => thrown);
  expect(isRedpenError(error) && [error.status, error.code]).toEqual([status, code]);
  expect(editor.get()).toMatchObject({ status: 'failed', error });
  await until(() => node.realtime.health().connections === 0, 'the connection to be closed');
});

test('a rejected token is replaced once, and then the editor has failed', async () => {
  const { node } = await newStage();
  let asked = 0;
  const redpen = createClient({ baseUrl: httpOf(node.url), getUserToken: () => `rejected-${asked++}` });
  const editor = open(redpen);
  const { status, error } = await ended(editor);
  expect([status, error?.status, error?.httpStatus]).toEqual(['failed', 'UNAUTHENTICATED', 401]);
  expect(asked).toBe(2);
});

test('a token that cannot be had is asked for again, at most five times in a row', async () => {
  const { node, workspace } = await newStage();
  let asked = 0;
  let isSignedIn = false;
  const redpen = createClient({
    baseUrl: httpOf(node.url),
    getUserToken() {
      asked += 1;
      if (isSignedIn) return tokenOf(workspace);
      throw new Error('Nobody is signed in.');
    },
  });
  const editor = open(redpen);
  const { status, error } = await ended(editor);
  expect([status, error?.status, error?.cause]).toEqual([
    'failed',
    'UNAUTHENTICATED',
    new Error('Nobody is signed in.'),
  ]);
  expect(asked).toBe(5);
  isSignedIn = true;
  editor.reconnect();
  await until(() => editor.status === 'live', 'the editor to be open');
});

test('content over the limit fails after a few tries, and is saved once it is small enough', async () => {
  const { workspace, clientOf } = await newStage({}, { documentBytes: 2_000 });
  const editor = open(clientOf('ada'));
  await editor.synced;
  contentOf(editor).insert(0, 'x'.repeat(3_000));
  const { status, error } = await ended(editor);
  expect(status).toBe('failed');
  expect(error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    code: 'content-too-large',
    message: 'The document has grown to its limit.',
  });
  contentOf(editor).delete(10, 2_990);
  editor.reconnect();
  await until(() => editor.status === 'live' && editor.get().saved, 'being saved');
  expect((await workspace.must('/v2/crdt/get', body))[0].data).toBe('x'.repeat(10));
});
