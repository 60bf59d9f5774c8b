import { expect, test } from 'vitest';
import { setRole, signIn } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';

const FAR = 4_000_000_000;

async function withDocuments() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    folderId: 'plans',
    documents: [
      { documentId: 'open', accessType: 'public' },
      { documentId: 'closed', accessType: 'restricted' },
    ],
  });
  return workspace;
}

test('permissions are granted, read and revoked', async () => {
  const workspace = await withDocuments();
  const added = await workspace.post('/v2/auth/permissions/add', {
    user: { userId: 'ada' },
    permissions: {
      resources: [
        { type: 'organization', id: 'acme', context: { access: { team: ['red', 'blue'], tier: 'gold' } } },
        { type: 'document', id: 'closed', organizationId: 'acme', accessRole: 'viewer', expiresAt: FAR },
        { type: 'folder', id: 'plans', organizationId: 'acme', accessRole: 'viewer' },
      ],
    },
  });
  expect(added.body).toEqual({ result: { status: 'success', message: 'Permissions added successfully.' } });
  const request = {
    organizationId: 'acme',
    userIds: ['ada', 'eve'],
    documentIds: ['open', 'closed'],
    folderIds: ['plans'],
  };
  expect(await workspace.must('/v2/auth/permissions/get', request)).toEqual({
    ada: {
      folders: { plans: { accessRole: 'viewer', accessType: 'public' } },
      documents: {
        open: { accessRole: 'viewer', accessType: 'public' },
        closed: { accessRole: 'viewer', accessType: 'restricted', expiresAt: FAR },
      },
      organization: { acme: { accessRole: 'editor' } },
      context: { accessFields: ['team:red', 'team:blue', 'tier:gold'] },
    },
    eve: {
      folders: { plans: { accessRole: 'editor', accessType: 'public' } },
      documents: {
        open: { accessRole: 'editor', accessType: 'public' },
        closed: {
          error: 'User does not have access to document',
          errorCode: 'permission_denied',
          accessType: 'restricted',
        },
      },
      organization: {
        acme: { error: 'User does not have access to organization', errorCode: 'permission_denied' },
      },
    },
  });
  const removed = await workspace.post('/v2/auth/permissions/remove', {
    userId: 'ada',
    permissions: { resources: [{ type: 'document', id: 'closed', organizationId: 'acme' }] },
  });
  expect(removed.body).toEqual({
    result: { status: 'success', message: 'Permissions removed successfully.' },
  });
  const after = await workspace.must('/v2/auth/permissions/get', request);
  expect(after.ada.documents.closed).toMatchObject({ accessRole: 'viewer' });
  expect(after.ada.documents.closed.expiresAt).toBeUndefined();
});

test('a missing resource makes the answer NOT_FOUND, with the permissions on the others', async () => {
  const workspace = await withDocuments();
  const { status, body } = await workspace.post('/v2/auth/permissions/get', {
    organizationId: 'acme',
    userIds: ['ada'],
    documentIds: ['open', 'gone'],
  });
  expect([status, body.error.status, body.error.message]).toEqual([
    404,
    'NOT_FOUND',
    'Folder or document does not exist',
  ]);
  expect(body.error.details.ada.documents).toEqual({
    open: { accessRole: 'editor', accessType: 'public' },
    gone: { error: 'Document does not exist', errorCode: 'does_not_exist' },
  });
  const lenient = await workspace.must('/v2/auth/permissions/get', {
    organizationId: 'acme',
    userIds: ['ada'],
    documentIds: ['open', 'gone'],
    skipResourceExistenceValidation: true,
  });
  expect(lenient).toEqual(body.error.details);
  const nowhere = await workspace.post('/v2/auth/permissions/get', {
    organizationId: 'none',
    userIds: ['ada'],
  });
  expect(nowhere.body.error).toMatchObject({ status: 'NOT_FOUND', message: 'Organization does not exist' });
});

test('an expiry is read in seconds and in milliseconds, and must be in the future', async () => {
  const workspace = await withDocuments();
  const grant = (expiresAt: unknown) =>
    workspace.post('/v2/auth/permissions/add', {
      user: { userId: 'ada' },
      permissions: { resources: [{ type: 'document', id: 'closed', organizationId: 'acme', expiresAt }] },
    });
  const permission = async () =>
    (
      await workspace.must('/v2/auth/permissions/get', {
        organizationId: 'acme',
        userIds: ['ada'],
        documentIds: ['closed'],
      })
    ).ada.documents.closed;
  const soon = Math.floor(Date.now() / 1_000) + 3_600;
  for (const expiresAt of [soon, soon * 1_000]) {
    expect((await grant(expiresAt)).status).toBe(200);
    expect(await permission()).toMatchObject({ accessRole: 'editor', expiresAt: soon });
  }
  for (const expiresAt of [0, -1, 1.5, 1_640_995_200, '2099', null]) {
    const { body } = await grant(expiresAt);
    expect([expiresAt, body.error?.status]).toEqual([expiresAt, 'INVALID_ARGUMENT']);
  }
  expect((await grant(Math.ceil(Date.now() / 1_000) + 1)).status).toBe(200);
  await expect.poll(permission, { timeout: 300_000 }).toMatchObject({ errorCode: 'permission_denied' });
});

test('a user reads only their own permissions, including those of the token', async () => {
  const workspace = await withDocuments();
  const resources = [{ type: 'document', id: 'closed', organizationId: 'acme', accessRole: 'viewer' }];
  const user = await newUserToken(workspace, { userId: 'ada', resources });
  const getPermissions = (userIds: string[]) =>
    user.post('/v2/auth/permissions/get', { organizationId: 'acme', userIds, documentIds: ['closed'] });
  expect((await getPermissions(['ada'])).body.result.data.ada.documents.closed).toMatchObject({
    accessRole: 'viewer',
  });
  expect((await getPermissions(['eve'])).body.error.status).toBe('PERMISSION_DENIED');
  expect((await getPermissions(['ada', 'eve'])).body.error.status).toBe('PERMISSION_DENIED');
});

test('a user gets the same answer for missing and for forbidden resources', async () => {
  const workspace = await withDocuments();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'secret',
    folderId: 'den',
    documents: [{ documentId: 'plan', accessType: 'restricted' }],
  });
  const user = await newUserToken(workspace, { userId: 'eve' });
  const ask = async (organizationId: string, documentId: string, folderId: string, more = {}) => {
    const request = {
      organizationId,
      userIds: ['eve'],
      documentIds: [documentId],
      folderIds: [folderId],
      ...more,
    };
    const { status, body } = await user.post('/v2/auth/permissions/get', request);
    return JSON.stringify([status, body])
      .replaceAll(organizationId, 'O')
      .replaceAll(documentId, 'D')
      .replaceAll(folderId, 'F');
  };
  const missing = await ask('nowhere', 'nothing', 'nofolder');
  expect(missing).toContain('User does not have access to document');
  expect(await ask('secret', 'nothing', 'nofolder')).toBe(missing);
  expect(await ask('secret', 'plan', 'nofolder')).toBe(missing);
  const strict = { skipResourceExistenceValidation: true };
  expect(await ask('secret', 'plan', 'nofolder', strict)).toBe(missing);
  expect(await ask('nowhere', 'nothing', 'nofolder', strict)).toBe(missing);
});

test('no token is created for a place without its organization, nor for an expiry that has passed', async () => {
  const workspace = await newWorkspace();
  const grant = (resource: object) => ({ permissions: { resources: [{ id: 'x', ...resource }] } });
  for (const change of [
    { userProperties: { name: 'A', email: 'a', organizationId: 'acme' } },
    grant({ type: 'document' }),
    grant({ type: 'folder' }),
    grant({ type: 'organization', expiresAt: 1 }),
  ]) {
    const { status, body } = await workspace.post('/v2/auth/generate_token', {
      userId: 'ada',
      userProperties: { name: 'Ada', email: 'ada@example.com' },
      permissions: { resources: [] },
      ...change,
    });
    expect([change, status, body.error?.status]).toEqual([change, 400, 'INVALID_ARGUMENT']);
  }
});

test('a token with the maximum number of resources is accepted', async () => {
  const workspace = await withDocuments();
  const resources = Array.from({ length: 300 }, (_, index) => ({
    type: 'document',
    id: index === 299 ? 'closed' : `document-${index}`,
    organizationId: 'acme',
  }));
  const user = await newUserToken(workspace, { resources });
  const reply = await user.post('/v2/auth/permissions/get', {
    organizationId: 'acme',
    userIds: ['ada'],
    documentIds: ['closed'],
  });
  expect(reply.body.result.data.ada.documents.closed.accessRole).toBe('editor');
});

test('the older form of generate_token takes the credentials in the body', async () => {
  const workspace = await withDocuments();
  const ask = (fields: object) =>
    send('/v1/auth/token/get', {
      data: {
        apiKey: workspace.apiKeyId,
        authToken: workspace.token,
        userId: 'ada',
        userProperties: { organizationId: 'acme', isAdmin: true, email: 'a@x.com' },
        ...fields,
      },
    });
  const { body } = await ask({});
  const reply = await send(
    '/v2/auth/permissions/get',
    { data: { organizationId: 'acme', userIds: ['ada'], documentIds: ['closed'] } },
    { authorization: `Bearer ${body.result.data.token}` },
  );
  expect(reply.body.result.data.ada.documents.closed.accessRole).toBe('editor');
  expect((await ask({ authToken: undefined })).body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'Auth token not found.',
  });
  for (const wrong of [{ authToken: 'x' }, { apiKey: 'x' }]) {
    expect((await ask(wrong)).body.error.status).toBe('UNAUTHENTICATED');
  }
});

test('signatures are 64 hex digits that depend on the permissions and the key', async () => {
  const [one, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const permission = { userId: 'ada', resourceId: 'home', type: 'document', hasAccess: true };
  const sign = async (workspace: typeof one, change: object = {}) => {
    const { body } = await workspace.post('/v2/auth/generate_signature', {
      permissions: [{ ...permission, ...change }],
    });
    return body.result.data.signature as string;
  };
  const signature = await sign(one);
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(await sign(one)).toBe(signature);
  const others = await Promise.all([
    sign(other),
    sign(one, { hasAccess: false }),
    sign(one, { accessRole: 'viewer' }),
    sign(one, { expiresAt: Date.now() }),
  ]);
  expect(new Set([signature, ...others]).size).toBe(5);
});

test('pages of allowed domains may send requests with a token, and pages of others may not', async () => {
  const workspace = await withDocuments();
  const user = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  const path = '/v2/auth/permissions/get';
  const request = { organizationId: 'acme', userIds: ['ada'] };
  const from = (origin: string) => user.post(path, request, { origin });
  const anywhere = await from('https://anywhere.example');
  expect(anywhere.status).toBe(200);
  expect(anywhere.headers['access-control-allow-origin']).toBe('https://anywhere.example');
  await workspace.must('/v2/workspace/domains/add', { domains: ['app.example.com', '*.example.org'] });
  const { app } = await testApp();
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: path,
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
  expect(preflight.headers['access-control-allow-headers']).not.toContain('x-service');
  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from('null')).status).toBe(403);
  expect((await from('https://app.example.com')).status).toBe(200);
  expect((await from('http://deep.inside.example.org:8080')).status).toBe(200);
  expect((await from('https://notexample.org')).status).toBe(403);
  expect((await workspace.post(path, request, { origin: 'https://evil.example' })).status).toBe(200);
  const closed = await app.inject({ method: 'OPTIONS', url: '/v2/agents/get' });
  expect(closed.statusCode).toBe(404);
});

test('an editor in the console makes tokens as themselves only, an owner of any user, and a viewer none', async () => {
  const workspace = await withDocuments();
  const session = await signIn(workspace);
  const { accountId } = session.data.account;
  const made = async (userId: string) => {
    const { status, body } = await session.post('/v2/auth/generate_token', {
      userId,
      userProperties: { name: 'Ada', email: 'ada@example.com' },
      permissions: { resources: [{ type: 'organization', id: 'acme' }] },
      origin: 'https://app.example.com',
    });
    return [status, body.error?.status];
  };
  expect([await made(accountId), await made('eve')]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  await setRole(session, 'editor');
  expect([await made(accountId), await made('eve')]).toEqual([
    [200, undefined],
    [403, 'PERMISSION_DENIED'],
  ]);
  await setRole(session, 'viewer');
  expect(await made(accountId)).toEqual([403, 'PERMISSION_DENIED']);
});

test('a token that a member made ends with their role, and one of themselves after 8 hours', async () => {
  const workspace = await withDocuments();
  const { memberId, session } = await addMember(workspace, 'editor');
  const made = await session.post('/v2/auth/generate_token', {
    userId: session.data.account.accountId,
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources: [{ type: 'organization', id: 'acme' }] },
  });
  const { token } = made.body.result.data;
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  expect(exp - iat).toBe(8 * 3_600);
  const statusOf = async () => {
    const data = { organizationId: 'acme', userIds: [session.data.account.accountId] };
    const headers = { authorization: `Bearer ${token}` };
    return (await send('/v2/auth/permissions/get', { data }, headers)).status;
  };
  const setTo = (role: string) => workspace.postAsWorkspace('/v2/members/update', { memberId, role });
  expect(await statusOf()).toBe(200);
  await setTo('viewer');
  expect(await statusOf()).toBe(401);
  await setTo('editor');
  expect(await statusOf()).toBe(200);
  await workspace.postAsWorkspace('/v2/members/remove', { memberId });
  expect(await statusOf()).toBe(401);
});
