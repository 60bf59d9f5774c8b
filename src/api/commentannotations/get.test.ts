import { beforeAll, expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';

const GET = '/v2/commentannotations/get';
const NOTES = [
  {
    id: 'a1',
    documentId: 'home',
    agentId: 'spell',
    executionId: 'e1',
    agentType: 'built-in',
    type: 'suggestion',
  },
  { id: 'a2', documentId: 'home', agentId: 'mine', executionId: 'e2', agentType: 'custom', type: 'comment' },
  {
    id: 'a3',
    documentId: 'about',
    agentId: 'mine',
    executionId: 'e3',
    agentType: 'custom',
    type: 'suggestion',
  },
  {
    id: 'a4',
    documentId: 'home',
    agentId: 'mine',
    executionId: 'e3',
    agentType: 'custom',
    type: 'suggestion',
  },
];
let workspace: TestWorkspace;

const idsOf = (rows: ({ annotationId: string } | null)[]) => rows.map((row) => row?.annotationId ?? null);
const get = async (data: object) => (await workspace.post(GET, { organizationId: 'acme', ...data })).body;
const idsFor = async (filter: object) => idsOf((await get({ order: 'asc', ...filter })).result.data);

beforeAll(async () => {
  workspace = await newWorkspace();
  const { deps } = await testApp();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }, { documentId: 'about' }],
    folderId: 'site',
  });
  for (const [index, { id, documentId, agentId, executionId, agentType, type }] of NOTES.entries()) {
    await deps.db.transaction().execute(async (tx) => {
      const agent = { agentId, agentType, agentSource: 'platform' };
      const body = { type, agent, from: { userId: agentId }, mentionedUserIds: [`u${index}`] };
      await insertAgentAnnotations(tx, workspace, { organizationId: 'acme', documentId }, [
        {
          annotationId: id,
          agentId,
          executionId,
          agentUrl: 'https://example.com/',
          body,
          comment: { commentId: 100_000 + index, body: { commentText: id, from: { userId: agentId } } },
        },
      ]);
      await tx
        .updateTable('annotations')
        .set({ createdAt: 1_000 * (index + 1), lastUpdated: 1_000 * (index + 1) })
        .where('apiKeyId', '=', workspace.apiKeyId)
        .where('annotationId', '=', id)
        .execute();
    });
  }
});

test('records are returned with their comments, last updated first', async () => {
  const { status, body } = await workspace.post(GET, {
    organizationId: 'acme',
    documentId: 'home',
  });
  expect(status).toBe(200);
  expect(body.result).toMatchObject({ status: 'success', message: 'Annotation(s) fetched successfully.' });
  expect(idsOf(body.result.data)).toEqual(['a4', 'a2', 'a1']);
  expect(body.result.data[2]).toMatchObject({
    annotationId: 'a1',
    annotationNumber: 1,
    type: 'suggestion',
    agent: { agentId: 'spell' },
    metadata: { apiKey: workspace.apiKeyId, organizationId: 'acme', documentId: 'home' },
    createdAt: 1_000,
    lastUpdated: 1_000,
    comments: [
      {
        commentId: 100_000,
        commentText: 'a1',
        createdAt: expect.any(Number),
        lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ],
  });
});

test.each([
  [{}, ['a1', 'a2', 'a3', 'a4']],
  [{ documentIds: ['about', 'none'] }, ['a3']],
  [{ folderId: 'site', documentId: 'about' }, ['a3']],
  [{ folderId: 'other' }, []],
  [{ userIds: ['mine'] }, ['a2', 'a3', 'a4']],
  [{ mentionedUserIds: ['u0', 'u2'] }, ['a1', 'a3']],
  [{ resolvedBy: 'nobody' }, []],
  [{ statusIds: ['OPEN'] }, ['a1', 'a2', 'a3', 'a4']],
  [{ statusIds: ['RESOLVED'] }, []],
  [{ locationIds: [7, '8'] }, []],
  [{ agentId: 'spell' }, ['a1']],
  [{ executionId: 'e3' }, ['a3', 'a4']],
  [{ agentType: 'built-in' }, ['a1']],
  [{ agentSource: 'platform' }, ['a1', 'a2', 'a3', 'a4']],
  [{ agentSource: 'external' }, []],
  [{ agentSuggestions: true }, ['a1', 'a3', 'a4']],
  [{ agentComments: true }, ['a2']],
  [{ updatedAfter: 1_000, updatedBefore: 4_000 }, ['a2', 'a3']],
  [{ createdAfter: 3_000 }, ['a4']],
  [{ createdBefore: 2_000 }, ['a1']],
  [{ executionId: 'e3', documentId: 'home' }, ['a4']],
])('the filter %j returns %j', async (filter, expected) => {
  expect(await idsFor(filter)).toEqual(expected);
});

test('requested ids are returned in their order, with null for missing ones', async () => {
  expect(await idsFor({ annotationIds: ['a4', 'none', 'a1', 'a4'] })).toEqual(['a4', null, 'a1']);
  expect(await idsFor({ annotationIds: ['a1', 'a3'], documentId: 'home' })).toEqual(['a1', null]);
});

test('the pages together contain the whole list, in either order', async () => {
  for (const filter of [
    { order: 'asc' },
    { order: 'desc' },
    { annotationIds: ['a1', 'none', 'a2', 'a3', 'a4'] },
  ]) {
    const whole = idsOf((await get(filter)).result.data);
    const seen: (string | null)[] = [];
    let pageToken: string | undefined;
    do {
      const { result } = await get({ ...filter, pageSize: 2, pageToken });
      seen.push(...idsOf(result.data));
      pageToken = result.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual(whole);
  }
});

test('a page token is valid only for its list', async () => {
  const { nextPageToken } = (await get({ pageSize: 2 })).result;
  expect((await get({ pageToken: nextPageToken, documentId: 'home' })).error.status).toBe('INVALID_ARGUMENT');
  expect((await get({ pageToken: 'made up' })).error.message).toBe('pageToken is not valid.');
});

test('records can be grouped by their documents', async () => {
  const { result } = await get({ groupByDocumentId: true, order: 'asc' });
  expect(result.message).toBe('Annotations fetched successfully.');
  expect(Object.keys(result.data).sort()).toEqual(['about', 'home']);
  expect(idsOf(result.data.home)).toEqual(['a1', 'a2', 'a4']);
});

test('a folder with many documents is listed like one with few', async () => {
  const w = await newWorkspace();
  const documents = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ documentId: `d${from + index}` }));
  const add = (folderId: string, some: object[]) =>
    w.must('/v2/organizations/documents/add', { organizationId: 'acme', folderId, documents: some });
  await add('few', documents(0, 3));
  await add('many', documents(3, 110));
  const commentAnnotations = [{ commentData: [{ commentText: 'x', from: { userId: 'u' } }] }];
  for (const documentId of ['d0', 'd2', 'd3', 'd109', 'd50']) {
    await w.must('/v2/commentannotations/add', { organizationId: 'acme', documentId, commentAnnotations });
  }
  const on = async (folderId: string, order: string) => {
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const request = { organizationId: 'acme', folderId, order, pageSize: 1, pageToken };
      const { result } = (await w.post(GET, request)).body;
      for (const { metadata } of result.data) seen.push(`${metadata.folderId}/${metadata.documentId}`);
      pageToken = result.nextPageToken;
    } while (pageToken);
    return seen;
  };
  expect(await on('few', 'asc')).toEqual(['few/d0', 'few/d2']);
  expect(await on('many', 'asc')).toEqual(['many/d3', 'many/d109', 'many/d50']);
  expect(await on('many', 'desc')).toEqual(['many/d50', 'many/d109', 'many/d3']);
  expect(await on('none', 'desc')).toEqual([]);
});

test('problems across fields are reported together with those of single fields', async () => {
  const w = await newWorkspace();
  const { body } = await w.post('/v2/commentannotations/get', {
    documentId: 'd',
    documentIds: ['e'],
    agentId: 'a',
    agentType: 'robot',
    executionId: 'x',
  });
  expect(body.error.message.split('\n').sort()).toEqual([
    'Only one of agentId, executionId, agentType, agentSource, agentSuggestions, agentComments may be sent.',
    'agentType must be built-in, custom or external.',
    'documentId and documentIds cannot be sent together.',
    'organizationId is required.',
  ]);
});

test('an API key learns what a user has not read', async () => {
  const w = await newWorkspace();
  const place = { organizationId: 'acme', documentId: 'home' };
  const comment = (id: string) => ({
    annotationId: id,
    commentData: [{ commentText: id, from: { userId: 'ann' } }],
  });
  await w.must('/v2/commentannotations/add', {
    ...place,
    createDocument: true,
    commentAnnotations: [comment('a1'), comment('a2')],
  });
  const update = (updatedData: object) =>
    w.must('/v2/commentannotations/update', { ...place, annotationIds: ['a1'], updatedData });
  const unread = async (more: object = {}) => {
    const { body } = await w.post(GET, { ...place, unreadFor: 'bob', ...more });
    const rows: { annotationId: string; isUnread?: boolean }[] = body.result.data;
    return Object.fromEntries(rows.map(({ annotationId, isUnread }) => [annotationId, isUnread]));
  };
  expect(await unread()).toEqual({ a1: true, a2: true });
  await update({ viewedByUserIds: ['bob'] });
  expect(await unread()).toEqual({ a1: false, a2: true });
  expect(await unread({ fields: 'anchors' })).toEqual({ a1: false, a2: true });
  expect(await unread({ documentId: undefined, pageSize: 10 })).toEqual({ a1: false, a2: true });
  expect(await unread({ unreadFor: undefined })).toEqual({ a1: undefined, a2: undefined });
  await w.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 'a1',
    commentData: [{ commentText: 'More', from: { userId: 'ann' } }],
  });
  expect(await unread()).toEqual({ a1: true, a2: true });

  const bob = await newUserToken(w, { userId: 'bob', resources: [{ type: 'organization', id: 'acme' }] });
  expect((await bob.post(GET, { ...place, unreadFor: 'bob' })).status).toBe(200);
  const refused = await bob.post(GET, { ...place, unreadFor: 'ann' });
  expect(refused.body.error).toMatchObject({ status: 'PERMISSION_DENIED' });
});
