import { importJWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { Doc } from 'yjs';
import { openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { listSigningKeys, signingKeyBinding } from '../../src/store/access/signing-keys.ts';
import { editor as body, tokenOf } from '../live/live-node.ts';
import { until } from '../run/until.ts';
import { send, type TestWorkspace, testApp } from '../service/harness.ts';
import { contentOf, httpOf, newStage, open, statesOf, textOf } from './editor-stage.ts';

/** A token whose validity begins and ends at other times, in epoch seconds. */
async function shiftedToken(workspace: TestWorkspace, iat: number, exp: number): Promise<string> {
  const { deps } = await testApp();
  const [, claims = ''] = (await tokenOf(workspace)).split('.');
  const row = (await listSigningKeys(deps.db)).find(({ retiredAt }) => retiredAt === null)!;
  const jwk = deps.keyring.open(row.privateSealed, signingKeyBinding(row.keyId));
  return await new SignJWT({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), iat, exp })
    .setProtectedHeader({ alg: 'EdDSA', kid: row.keyId, typ: 'JWT' })
    .sign(await importJWK(JSON.parse(jwk), 'EdDSA'));
}

test('two users write a text together, and see the caret of each other', async () => {
  const { clientOf } = await newStage();
  const ada = open(clientOf('ada'), { user: { name: 'Ada' } });
  const bob = open(clientOf('bob'));
  expect(ada.get()).toEqual({ status: 'loading', readOnly: false, saved: true });
  await Promise.all([ada.synced, bob.synced]);
  expect([ada.status, ada.readOnly]).toEqual(['live', false]);
  contentOf(ada).insert(0, 'Hello');
  await until(() => textOf(bob) === 'Hello', 'the text');
  contentOf(bob).insert(5, ', world');
  await until(() => textOf(ada) === 'Hello, world' && ada.get().saved && bob.get().saved, 'the text');
  const names = () => [...bob.provider.awareness!.getStates().values()].map(({ user }) => user?.name);
  await until(() => names().includes('Ada'), 'the caret');
  ada.close();
  await until(() => !names().includes('Ada'), 'the caret to be gone');
});

test('the state is the same object until something changes, and is told to its subscribers', async () => {
  const { clientOf } = await newStage();
  const ada = open(clientOf('ada'));
  const states = statesOf(ada);
  let calls = 0;
  const stop = ada.subscribe(() => calls++);
  await ada.synced;
  await until(() => ada.get().saved, 'a saved state');
  expect(ada.get()).toBe(ada.get());
  expect(new Set(states).size).toBe(states.length);
  expect(states.at(-1)).toEqual({ status: 'live', readOnly: false, saved: true });
  stop();
  const before = calls;
  contentOf(ada).insert(0, 'x');
  await until(() => states.at(-1) !== states.at(-2) && ada.get().saved, 'being saved');
  expect(calls).toBe(before);
});

test('the methods of an editor work on their own, as React and listeners of buttons call them', async () => {
  const { clientOf } = await newStage();
  const { synced, get, subscribe, reconnect, close } = open(clientOf('ada'));
  await synced;
  let calls = 0;
  const stop = subscribe(() => calls++);
  reconnect();
  expect(get().status).toBe('live');
  close();
  expect(get().status).toBe('ended');
  expect(calls).toBeGreaterThan(0);
  stop();
});

test('several editors of a page share one token, and each has its own connection', async () => {
  const { node, workspace } = await newStage();
  let asked = 0;
  const redpen = createClient({
    baseUrl: httpOf(node.url),
    getUserToken() {
      asked += 1;
      return tokenOf(workspace);
    },
  });
  const editors = ['body', 'title', 'notes'].map((editorId) => open(redpen, { editorId }));
  await Promise.all(editors.map(({ synced }) => synced));
  expect(asked).toBe(1);
  expect(node.realtime.health().connections).toBe(3);
  for (const editor of editors) editor.close();
  await until(() => node.realtime.health().connections === 0, 'all connections to be closed');
});

test('a token is renewed over the open connection before it expires', async () => {
  const { node, workspace } = await newStage();
  const now = Math.floor(Date.now() / 1_000);
  // 80 % of its lifetime are over in two seconds.
  const tokens = [await shiftedToken(workspace, now - 7_998, now + 2_002), await tokenOf(workspace)];
  const redpen = createClient({ baseUrl: httpOf(node.url), getUserToken: () => tokens.shift()! });
  const editor = open(redpen);
  const states = statesOf(editor);
  // From the beginning: on a busy machine the second token may be due before the document is there.
  let sent = 0;
  editor.provider.on('outgoingMessage', ({ message }: { message: { type: number } }) => {
    if (message.type === 2) sent += 1;
  });
  await editor.synced;
  await until(() => sent >= 2, 'the second token');
  contentOf(editor).insert(0, 'Hello');
  await until(() => editor.get().saved, 'being saved');
  expect(tokens).toEqual([]);
  expect(states.map(({ status }) => status)).not.toContain('offline');
});

test('after the token was revoked, the editor is opened again with a new one', async () => {
  const { node, workspace } = await newStage();
  let asked = 0;
  const changed = Promise.withResolvers<TestWorkspace>();
  const redpen = createClient({
    baseUrl: httpOf(node.url),
    async getUserToken() {
      asked += 1;
      return tokenOf(asked === 1 ? workspace : await changed.promise);
    },
  });
  const editor = open(redpen);
  const states = statesOf(editor);
  await editor.synced;
  const reset = await workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
    apiKey: workspace.apiKeyId,
  });
  const headers = {
    ...workspace.keyHeaders,
    'x-service-auth-token': reset.body.result.data.newAuthToken.token,
  };
  changed.resolve({ ...workspace, post: (path, data) => send(path, { data }, headers) });
  await until(() => states.some(({ status }) => status === 'offline'), 'the end of the connection');
  await until(() => editor.status === 'live', 'being open again');
  const { error } = states.find(({ status }) => status === 'offline')!;
  expect(error).toMatchObject({ status: 'UNAUTHENTICATED', code: 'token-ended' });
  expect(asked).toBe(2);
  expect(editor.get().error).toBeUndefined();
});

test('an editor that was open waits for a backend that gives no tokens for a while', async () => {
  const { node, workspace } = await newStage();
  let asked = 0;
  let current: TestWorkspace | undefined = workspace;
  const redpen = createClient({
    baseUrl: httpOf(node.url),
    getUserToken() {
      asked += 1;
      if (!current) throw new Error('HTTP status 503.');
      return tokenOf(current);
    },
  });
  const editor = open(redpen);
  await editor.synced;
  current = undefined;
  const reset = await workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
    apiKey: workspace.apiKeyId,
  });
  await until(() => asked > 6, 'more questions than an editor asks that was never open');
  contentOf(editor).insert(0, 'Meanwhile');
  expect(editor.get()).toMatchObject({ status: 'offline', error: { message: 'getUserToken failed.' } });
  const headers = {
    ...workspace.keyHeaders,
    'x-service-auth-token': reset.body.result.data.newAuthToken.token,
  };
  current = { ...workspace, post: (path, data) => send(path, { data }, headers) };
  await until(() => editor.status === 'live' && editor.get().saved, 'being open again');
});

test('a viewer cannot write, and can as soon as they become an editor', async () => {
  const { workspace, clientOf } = await newStage({ accessType: 'organizationPrivate' });
  const grant = (accessRole: string) =>
    workspace.must('/v2/users/update', { organizationId: 'acme', users: [{ userId: 'vic', accessRole }] });
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'vic' }] });
  await grant('viewer');
  const editor = open(clientOf('vic', { resources: [] }));
  await editor.synced;
  expect(editor.readOnly).toBe(true);
  contentOf(editor).insert(0, 'Mine');
  await until(() => !editor.get().saved, 'an unsaved change');
  await grant('editor');
  await until(() => !editor.readOnly && editor.get().saved, 'the new role');
  expect((await workspace.must('/v2/crdt/get', body))[0].data).toBe('Mine');
});

test('a client with an API key opens editors as a user whose tokens it makes', async () => {
  const { node, workspace } = await newStage();
  const redpen = createClient({
    baseUrl: httpOf(node.url),
    apiKey: workspace.apiKeyId,
    authToken: workspace.token,
  });
  expect(() => openEditor(redpen, body)).toThrow(/getUserToken is missing/);
  const getUserToken = async () =>
    (
      await redpen.auth.generateToken({
        userId: 'robot',
        userProperties: { name: 'Robot', email: 'robot@acme.dev' },
        permissions: { resources: [{ type: 'organization', id: 'acme' }] },
      })
    ).token;
  const editor = open(redpen, { getUserToken });
  await editor.synced;
  contentOf(editor).insert(0, 'beep');
  await until(() => editor.get().saved, 'being saved');
  expect((await redpen.editors.list(body))[0]?.data).toBe('beep');
});

test('an editor that is closed while it is being opened leaves nothing behind', async () => {
  const { node, clientOf } = await newStage();
  const redpen = clientOf('ada');
  const document = new Doc();
  for (const moment of ['at once', 'with a token', 'connecting']) {
    const editor = openEditor(redpen, { ...body, ydoc: document });
    const refused = editor.synced.catch((thrown: unknown) => thrown);
    if (moment === 'with a token') await redpen.connection.tokens!.get();
    if (moment === 'connecting') {
      await new Promise<void>((done) => editor.provider.on('open', () => done()));
    }
    editor.close();
    editor.close();
    expect(await refused).toMatchObject({ code: 'closed' });
    expect(editor.get()).toMatchObject({ status: 'ended' });
    editor.reconnect();
    expect(editor.status).toBe('ended');
  }
  await until(() => node.realtime.health().connections === 0, 'all connections to be closed');
  const again = open(redpen, { ydoc: document });
  await again.synced;
  contentOf(again).insert(0, 'still mine');
  await until(() => again.get().saved, 'being saved');
});
