import { expect, test } from 'vitest';
import { Doc, encodeStateAsUpdate } from 'yjs';
import {
  editor,
  isSaved,
  nameOfEditor,
  openClient,
  place,
  startNode,
  tokenOf,
  withDocument,
} from '../../test/live/live-node.ts';
import { openRaw } from '../../test/live/raw-live-client.ts';
import { until } from '../../test/run/until.ts';
import type { newWorkspace } from '../../test/service/harness.ts';
import { kinds, syncKinds } from './connection/hocuspocus-message.ts';
import { closings } from './protocol/close-codes.ts';

const textOf = (document: Doc) => document.getText('content').toString();
const organization = { type: 'organization', id: 'acme' };

/** A node that checks rights often, and a document with a text. */
async function startNodeWithText(document: object = {}) {
  const node = await startNode({ limits: { checkRightsEveryMs: 50 } });
  const workspace = await withDocument(document);
  await workspace.must('/v2/crdt/add', { ...editor, type: 'text', data: 'as it was' });
  return { node, workspace };
}

test('a viewer receives changes of others, and its own changes are rejected', async () => {
  const { node, workspace } = await startNodeWithText();
  const token = await tokenOf(workspace, {
    userId: 'vic',
    resources: [{ type: 'document', ...place, id: place.documentId, accessRole: 'viewer' }],
  });
  const viewer = openClient(node.url, token);
  await until(() => textOf(viewer.document) === 'as it was', 'the text');
  expect(viewer.provider.authorizedScope).toBe('readonly');
  const writer = openClient(node.url, await tokenOf(workspace));
  await until(() => isSaved(writer) && textOf(writer.document) === 'as it was', 'a connection');
  viewer.document.getText('content').insert(0, 'defaced ');
  writer.document.getText('content').insert(0, 'Just ');
  await until(() => textOf(viewer.document).includes('Just ') && isSaved(writer), 'the change');
  expect(textOf(writer.document)).toBe('Just as it was');
  expect(viewer.provider.hasUnsyncedChanges).toBe(true);
  const { body } = await workspace.post('/v2/crdt/get', { ...editor });
  expect(body.result.data[0].data).toBe('Just as it was');
  const raw = await openRaw(node.url, { token });
  const forged = new Doc();
  forged.getText('content').insert(0, 'defaced');
  raw.sync(syncKinds.step2, encodeStateAsUpdate(forged));
  raw.update(encodeStateAsUpdate(forged));
  await raw.waitFor(({ saved }) => saved === false);
  expect(textOf(writer.document)).toBe('Just as it was');
});

test.each([
  ['nothing is granted', { resources: [] }],
  ['the grant is on another organization', { resources: [{ type: 'organization', id: 'other' }] }],
  ['the grant is on the organization of a restricted document', { resources: [organization] }],
])('if %s, no client is admitted', async (_, options) => {
  const { node, workspace } = await startNodeWithText({ accessType: 'restricted' });
  const client = openClient(node.url, await tokenOf(workspace, options));
  await until(() => client.refusals.length > 0, 'a refusal');
  expect(client.refusals[0]).toBe('User does not have access to document');
  expect(textOf(client.document)).toBe('');
});

test.each([
  ['acme/none/body', 'User does not have access to document'],
  ['acme/home', expect.stringContaining('organizationId/documentId/editorId')],
  ['acme/home/body/more', expect.stringContaining('organizationId/documentId/editorId')],
  ['', expect.stringContaining('organizationId/documentId/editorId')],
  ['acme/%zz/body', expect.stringContaining('organizationId/documentId/editorId')],
  ['acme//body', expect.stringContaining('organizationId/documentId/editorId')],
  ['acme/home/%00', expect.stringContaining('organizationId/documentId/editorId')],
])('the name "%s" cannot be opened', async (name, reason) => {
  const { node, workspace } = await startNodeWithText();
  const client = await openRaw(node.url, { name });
  void client.authenticate(await tokenOf(workspace));
  const { answer, text } = await client.waitFor(({ kind }) => kind === kinds.auth);
  expect([answer, text]).toEqual([1, reason]);
});

test.each([
  [
    'a grant is revoked',
    (workspace: Awaited<ReturnType<typeof newWorkspace>>) =>
      workspace.must('/v1/users/delete', { organizationId: 'acme', userIds: ['vic'] }),
    closings.forbidden.code,
  ],
  [
    'an editor becomes a viewer',
    (workspace: Awaited<ReturnType<typeof newWorkspace>>) =>
      workspace.must('/v2/users/update', {
        organizationId: 'acme',
        users: [{ userId: 'vic', accessRole: 'viewer' }],
      }),
    closings.forbidden.code,
  ],
  [
    'the document is disabled',
    (workspace: Awaited<ReturnType<typeof newWorkspace>>) =>
      workspace.must('/v2/organizations/documents/access/disablestate/update', {
        organizationId: 'acme',
        documentIds: ['home'],
        disabled: true,
      }),
    closings.forbidden.code,
  ],
  [
    'the document is deleted',
    (workspace: Awaited<ReturnType<typeof newWorkspace>>) =>
      workspace.must('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['home'] }),
    closings.forbidden.code,
  ],
  [
    'the auth token is reset',
    async (workspace: Awaited<ReturnType<typeof newWorkspace>>) => {
      const reply = await workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
        apiKey: workspace.apiKeyId,
        authToken: workspace.token,
      });
      expect(reply.status).toBe(200);
    },
    closings.unauthenticated.code,
  ],
])('the connection ends soon after %s', async (_, change, code) => {
  const { node, workspace } = await startNodeWithText({ accessType: 'organizationPrivate' });
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'vic' }] });
  const raw = await openRaw(node.url, { token: await tokenOf(workspace, { userId: 'vic', resources: [] }) });
  await change(workspace);
  expect(await raw.closed).toBe(code);
});

test('the connection ends when a grant of the token expires', async () => {
  const { node, workspace } = await startNodeWithText({ accessType: 'restricted' });
  const expiresAt = Date.now() + 700;
  const resources = [{ type: 'document', ...place, id: place.documentId, expiresAt }];
  const raw = await openRaw(node.url, { token: await tokenOf(workspace, { resources }) });
  expect(await raw.closed).toBe(closings.forbidden.code);
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
});

test('a page of an origin that the API key does not allow is refused', async () => {
  const { node, workspace } = await startNodeWithText();
  await workspace.must('/v2/workspace/domains/add', { domains: ['app.example.com'] });
  const token = await tokenOf(workspace);
  const good = await openRaw(node.url, { origin: 'https://app.example.com', token });
  expect(good.ws.readyState).toBe(1);
  const bad = await openRaw(node.url, { origin: 'https://evil.example' });
  void bad.authenticate(token);
  const { answer, text } = await bad.waitFor(({ kind }) => kind === kinds.auth);
  expect([answer, text]).toEqual([1, 'This origin is not among the allowed domains of the API key.']);
});

test('a token that is bound to an origin is refused on pages of another, and without an origin', async () => {
  const { node, workspace } = await startNodeWithText();
  const bound = await workspace.must('/v2/auth/generate_token', {
    userId: 'ada',
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    origin: 'https://app.example.com',
    permissions: { resources: [{ type: 'organization', id: place.organizationId }] },
  });
  const good = await openRaw(node.url, { origin: 'https://app.example.com', token: bound.token });
  expect(good.ws.readyState).toBe(1);
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const bad = await openRaw(node.url, headers);
    void bad.authenticate(bound.token);
    const { answer, text } = await bad.waitFor(({ kind }) => kind === kinds.auth);
    expect([answer, text]).toEqual([
      1,
      expect.stringContaining('The token is for pages of https://app.example.com'),
    ]);
  }
});

test.each(['', 'x', 'x'.repeat(70_000)])('a malformed token is refused', async (token) => {
  const { node } = await startNodeWithText();
  const raw = await openRaw(node.url);
  void raw.authenticate(token);
  const { answer, text } = await raw.waitFor(({ kind }) => kind === kinds.auth);
  expect([answer, text]).toEqual([1, 'Invalid or missing credentials.']);
});

test('documents of the same name under different API keys are independent', async () => {
  const { node, workspace } = await startNodeWithText();
  const other = await withDocument();
  const mine = openClient(node.url, await tokenOf(workspace));
  const theirs = openClient(node.url, await tokenOf(other));
  await until(() => isSaved(mine) && isSaved(theirs), 'connections');
  mine.document.getText('content').insert(0, 'secret ');
  mine.provider.setAwarenessField('user', { name: 'Ada' });
  await until(() => isSaved(mine), 'an acknowledgment');
  theirs.document.getText('content').insert(0, 'theirs');
  await until(() => isSaved(theirs), 'an acknowledgment');
  expect(textOf(theirs.document)).toBe('theirs');
  expect(textOf(mine.document)).toBe('secret as it was');
  expect([...theirs.provider.awareness!.getStates().keys()]).toEqual([theirs.document.clientID]);
  expect((await other.must('/v2/crdt/get', editor))[0].data).toBe('theirs');
});

test('a token of another API key opens no document over the same connection', async () => {
  const { node, workspace } = await startNodeWithText();
  const other = await withDocument();
  const raw = await openRaw(node.url, { token: await tokenOf(workspace) });
  const second = await openRawOver(raw, 'acme/home/second', await tokenOf(other));
  expect(second).toBe(1);
});

async function openRawOver(
  raw: Awaited<ReturnType<typeof openRaw>>,
  name: string,
  token: string,
): Promise<number | undefined> {
  const { createEncoder, toUint8Array, writeVarString, writeVarUint } = await import('lib0/encoding');
  const encoder = createEncoder();
  writeVarString(encoder, name);
  writeVarUint(encoder, kinds.auth);
  writeVarUint(encoder, 0);
  writeVarString(encoder, token);
  const before = raw.received.length;
  raw.ws.send(toUint8Array(encoder));
  return (await raw.waitFor((one) => raw.received.indexOf(one) >= before && one.kind === kinds.auth)).answer;
}

test('differently encoded names open the same document', async () => {
  const { node, workspace } = await startNodeWithText();
  const plain = openClient(node.url, await tokenOf(workspace));
  const encoded = openClient(node.url, await tokenOf(workspace), {
    name: nameOfEditor.replace('body', '%62ody'),
  });
  await until(() => isSaved(plain) && isSaved(encoded), 'connections');
  plain.document.getText('content').insert(0, 'Just ');
  await until(() => textOf(encoded.document) === 'Just as it was', 'the change under the other name');
  encoded.provider.setAwarenessField('user', { name: 'Bo' });
  await until(() => plain.provider.awareness!.getStates().has(encoded.document.clientID), 'the other client');
});

test('a deleted editor is closed, and a client that still has it cannot restore it', async () => {
  const { node, workspace } = await startNodeWithText();
  const holder = openClient(node.url, await tokenOf(workspace));
  await until(() => textOf(holder.document) === 'as it was', 'the text');
  holder.document.getText('content').insert(0, 'Just ');
  await until(() => isSaved(holder), 'an acknowledgment');
  const reply = await node.post('/v2/crdt/delete', { ...place, editorIds: ['body'] }, workspace.keyHeaders);
  expect(reply.status).toBe(200);
  await until(() => holder.closes.filter(({ code }) => code === 4410).length > 1, 'being closed twice');
  expect(await workspace.must('/v2/crdt/get', editor)).toEqual([]);
  const fresh = openClient(node.url, await tokenOf(workspace, { userId: 'bo' }));
  await until(() => isSaved(fresh), 'a connection');
  fresh.document.getText('content').insert(0, 'begun anew');
  await until(() => isSaved(fresh), 'an acknowledgment');
  expect((await workspace.must('/v2/crdt/get', editor))[0].data).toBe('begun anew');
});

test('a new token of the same user is accepted over a connection, and one of another user ends it', async () => {
  const { node, workspace } = await startNodeWithText();
  const raw = await openRaw(node.url, { token: await tokenOf(workspace) });
  const answered = raw.received.length;
  await raw.authenticate(await tokenOf(workspace));
  raw.sync(syncKinds.step1, new Uint8Array([0]));
  await raw.waitFor(({ step }) => step === syncKinds.step2);
  expect(raw.received.length).toBeGreaterThan(answered);
  void raw.authenticate(await tokenOf(workspace, { userId: 'eve' }));
  expect(await raw.closed).toBe(closings.forbidden.code);
});
