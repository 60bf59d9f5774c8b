import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints } from '../../api/index.ts';
import { createServer } from './server.ts';

const ADD = '/v2/organizations/documents/add';
const typo = { organizationId: 'acme', documents: [{ documentId: 'home' }], folderID: 'top' };
const warning = {
  path: ['folderID'],
  code: 'unknown_field',
  message: 'data.folderID is not a field of this operation; did you mean data.folderId?',
  suggestion: 'data.folderId',
};

test('warnings are in the result, also in a replay', async () => {
  const workspace = await newWorkspace();
  const key = { 'idempotency-key': randomUUID() };
  const first = await workspace.post(ADD, typo, key);
  expect(first).toMatchObject({ status: 200, body: { result: { warnings: [warning] } } });
  const again = await workspace.post(ADD, typo, key);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toEqual(first.body);
});

test('warnings are in each kind of envelope', async () => {
  const workspace = await newWorkspace();
  const warned = { warnings: [{ path: ['unheardOfField'] }] };
  const more = (data: object) => ({ ...data, unheardOfField: 1 });
  const answerOf = async (path: string, data: object) => (await workspace.post(path, more(data))).body;
  expect(await answerOf('/v2/memory/stats/get', {})).toMatchObject({
    result: { totalPatterns: 0, ...warned },
  });
  expect(await answerOf('/v2/memory/patterns/get', {})).toMatchObject({ result: [], ...warned });
  expect(await answerOf('/v2/memory/knowledge/download', { sourceId: 'src_x' })).toMatchObject({
    result: null,
    ...warned,
  });
  expect(await answerOf('/v2/users/data/delete', { userIds: ['eve'] })).toMatchObject({
    statusCode: 202,
    ...warned,
  });
});

test('a field next to data is reported, also if data may be absent', async () => {
  const workspace = await newWorkspace();
  const { body } = await send('/v2/organizations/get', { data: {}, pageSize: 1 }, workspace.keyHeaders);
  expect(body.result.warnings).toEqual([
    {
      path: ['pageSize'],
      code: 'beside_data',
      message: 'pageSize lies beside data, where it is not read; did you mean data.pageSize?',
      suggestion: 'data.pageSize',
    },
  ]);
});

test('a strict request with unknown fields is refused with all of its problems, and changes nothing', async () => {
  const workspace = await newWorkspace();
  const body = { data: { ...typo, organizationId: 1 }, version: 2 };
  for (const strict of ['1', 'true']) {
    const { status, body: answer } = await send(ADD, body, {
      ...workspace.keyHeaders,
      'x-redpen-strict': strict,
    });
    expect(status).toBe(400);
    expect(answer.error.details.issues).toEqual([
      { path: ['organizationId'], code: 'invalid_type', message: 'organizationId must be a string.' },
      {
        path: ['version'],
        code: 'unrecognized_key',
        message: 'version lies beside data, where it is not read; parameters belong in data.',
      },
      { path: ['folderID'], code: 'unrecognized_key', message: warning.message },
    ]);
  }
  expect((await workspace.post(ADD, typo, { 'x-redpen-strict': '1' })).status).toBe(400);
  const documents = await workspace.post('/v2/organizations/documents/get', { organizationId: 'acme' });
  expect(JSON.stringify(documents.body)).not.toContain('home');
});

test('an unknown field of a strict schema is reported once', async () => {
  const workspace = await newWorkspace();
  const headers = { 'x-redpen-strict': '1' };
  const { body } = await workspace.post('/v2/agents/groups/get', { groupId: 'g', more: 1 }, headers);
  expect(body.error.details.issues).toEqual([
    { path: ['more'], code: 'unrecognized_key', message: 'more is not a known field.' },
  ]);
});

test('another value of the header is refused', async () => {
  const workspace = await newWorkspace();
  const { status, body } = await workspace.post('/v2/organizations/get', {}, { 'x-redpen-strict': 'yes' });
  expect([status, body.error]).toEqual([
    400,
    { status: 'INVALID_ARGUMENT', message: 'The x-redpen-strict header must be 1, true, 0 or false.' },
  ]);
});

test('the setting rejects unknown fields unless the request says otherwise', async () => {
  const workspace = await newWorkspace();
  const { deps, authenticator } = await testApp();
  const app = await createServer({
    deps: { ...deps, settings: { ...deps.settings, unknownFields: 'reject' } },
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  try {
    const post = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: ADD,
        headers: { 'content-type': 'application/json', ...workspace.keyHeaders, ...headers },
        payload: JSON.stringify({ data: typo }),
      });
    expect((await post({})).statusCode).toBe(400);
    expect((await post({ 'x-redpen-strict': '0' })).json().result.warnings).toEqual([warning]);
  } finally {
    await app.close();
  }
});

test('unknown fields are counted by operation', async () => {
  const workspace = await newWorkspace();
  const { app } = await testApp();
  const counted = async () => {
    const text = await app.metrics.print();
    const line = /^redpen_request_unknown_fields_total\{operation="\/v2\/livestate\/get"\} (\d+)$/m;
    return Number(line.exec(text)?.[1] ?? 0);
  };
  const before = await counted();
  const place = { organizationId: 'acme', documentId: 'home' };
  await workspace.post('/v2/livestate/get', { ...place, one: 1, two: 2 });
  expect((await counted()) - before).toBe(2);
});

test('a page with a user token may send the header', async () => {
  const workspace = await newWorkspace();
  const { app } = await testApp();
  const url = '/v2/commentannotations/get';
  const preflight = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://acme.dev' } });
  expect(String(preflight.headers['access-control-allow-headers']).split(', ')).toContain('x-redpen-strict');
  await workspace.must(ADD, { organizationId: 'acme', documents: [{ documentId: 'home' }] });
  const user = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  const data = { organizationId: 'acme', documentID: 'home' };
  expect((await send(url, { data }, user.headers)).body.result.warnings).toMatchObject([
    { suggestion: expect.stringMatching(/^data\.documentIds?$/) },
  ]);
  const refused = await send(url, { data }, { ...user.headers, 'x-redpen-strict': '1' });
  expect(refused.status).toBe(400);
});

const place = { organizationId: 'acme', documentId: 'home' };
/** Requests with fields that have no effect beside others, and the paths of these. */
const ignored: [path: string, data: object, warnings: string[]][] = [
  [
    '/v2/agents/get',
    { agentId: 'broken-links', filter: 'any', groupId: 'x', pageSize: 5 },
    ['filter', 'groupId', 'pageSize'],
  ],
  ['/v2/agents/get', { filter: 'customOnly', pageSize: 5 }, []],
  [
    '/v2/organizations/documents/count',
    { organizationId: 'acme', folderId: 'top', excludeFolderDocs: true },
    ['folderId'],
  ],
  [
    '/v2/organizations/documents/count',
    { organizationId: 'acme', folderId: 'top', excludeFolderDocs: false },
    [],
  ],
  ['/v2/commentannotations/get', { ...place, annotationIds: ['a'], order: 'asc' }, ['order']],
  ['/v2/commentannotations/get', { ...place, order: 'asc' }, []],
  [
    '/v2/memory/search',
    { query: 'x', recencyDays: 3, filters: { dateRange: { start: 1 } } },
    ['filters.dateRange'],
  ],
  [
    '/v2/memory/search',
    {
      query: 'x',
      organizationId: 'acme',
      recencyDays: 3,
      filters: { annotationId: 'a', dateRange: { start: 1 } },
    },
    ['filters.dateRange', 'recencyDays'],
  ],
  ['/v2/memory/search', { query: 'x', filters: { dateRange: { start: 1 } } }, []],
  [
    '/v1/users/add',
    { organizationId: 'acme', users: [{ userId: 'eve' }, { userId: 'bob', accessRole: 'viewer' }] },
    ['users.1.accessRole'],
  ],
  [
    '/v1/users/update',
    { organizationId: 'acme', users: [{ userId: 'eve', accessRole: 'viewer' }] },
    ['users.0.accessRole'],
  ],
];

test('a field that has no effect in a request is reported, and not refused by a strict one', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  for (const [path, data, expected] of ignored) {
    for (const strict of ['0', '1']) {
      const { status, body } = await workspace.post(path, data, { 'x-redpen-strict': strict });
      const warnings: { path: string[]; code: string }[] = body.result?.warnings ?? body.warnings ?? [];
      expect([status, warnings.map(({ path: at }) => at.join('.'))], path).toEqual([200, expected]);
      expect(warnings.every(({ code }) => code === 'no_effect')).toBe(true);
    }
  }
});

test('a comment cannot create its document, and its answer says so only if it asks for that', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/commentannotations/add', {
    ...{ ...place, createOrganization: true, createDocument: true },
    commentAnnotations: [
      { annotationId: 'a', commentData: [{ commentText: 'One', from: { userId: 'eve' } }] },
    ],
  });
  const add = async (more: object) => {
    const commentData = [{ commentText: 'Two', from: { userId: 'eve' } }];
    const data = { ...place, annotationId: 'a', commentData, ...more };
    return (await workspace.post('/v2/commentannotations/comments/add', data)).body.result;
  };
  expect((await add({ createDocument: true })).warnings).toEqual([
    {
      path: ['createDocument'],
      code: 'no_effect',
      message: 'data.createDocument has no effect: the annotation must exist, and so its document does.',
    },
  ]);
  expect((await add({ createDocument: false })).warnings).toBeUndefined();
});
