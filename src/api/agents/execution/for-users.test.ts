import { expect, test } from 'vitest';
import { newUserToken } from '../../../../test/people/user-token.ts';
import {
  dispatch,
  links,
  onDocument,
  siteOf,
  small,
  work,
  workspaceWithDocument,
} from '../../../../test/reviews/runs.ts';
import { testApp } from '../../../../test/service/harness.ts';
import { artifactLinks } from '../../../review/run/artifact-links.ts';
import { findingForUser, pageForUser } from '../../../review/run/show-to-user.ts';

const operation = (name: string) => `/v2/agents/execution/${name}`;
const member = { type: 'organization', id: 'o', accessRole: 'viewer' };
const guest = { type: 'document', id: 'd', organizationId: 'o', accessRole: 'viewer' };

async function withRuns() {
  const workspace = await workspaceWithDocument();
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId: 'o',
    documentIds: ['d'],
    accessType: 'organizationPrivate',
  });
  const site = await siteOf(small);
  const start = async (request: object) => {
    const executionId = await dispatch(workspace, links, { url: site.url, ...request });
    await work(workspace, executionId);
    return executionId;
  };
  return {
    workspace,
    hidden: await start(onDocument),
    shown: await start({ ...onDocument, annotationVisibility: 'public' }),
    elsewhere: await start({}),
  };
}

test('users list and read the runs on a document as they may see their suggestions, and no others', async () => {
  const { workspace, hidden, shown, elsewhere } = await withRuns();
  const users = {
    member: await newUserToken(workspace, { userId: 'm', resources: [member] }),
    guest: await newUserToken(workspace, { userId: 'g', resources: [guest] }),
    stranger: await newUserToken(workspace, { userId: 's' }),
  };
  const listOf = async (user: keyof typeof users, more: object = {}) => {
    const { status, body } = await users[user].post(operation('list'), { ...onDocument, ...more });
    return status === 200 ? body.result.data.executions.map(({ id }: { id: string }) => id) : status;
  };
  expect(await listOf('member')).toEqual([shown, hidden]);
  expect(await listOf('guest')).toEqual([shown]);
  expect(await listOf('stranger')).toBe(403);
  expect(await listOf('member', { status: 'running' })).toEqual([]);
  for (const data of [{ scope: 'apiKey' }, { status: 'failed' }, { agentId: 'broken-links' }])
    expect((await users.member.post(operation('list'), data)).status).toBe(403);
  for (const name of ['get', 'events', 'findings', 'causes']) {
    const statusOf = async (user: keyof typeof users, executionId: string) =>
      (await users[user].post(operation(name), { executionId })).status;
    expect(await statusOf('member', hidden)).toBe(200);
    expect(await statusOf('guest', shown)).toBe(200);
    for (const [user, executionId] of [
      ['guest', hidden],
      ['member', elsewhere],
      ['stranger', shown],
    ] as const)
      expect(await statusOf(user, executionId)).toBe(404);
    const unknown = await users.guest.post(operation(name), { executionId: 'exec_0_none' });
    const foreign = await users.guest.post(operation(name), { executionId: hidden });
    expect(foreign.body.error.message.replace(hidden, 'exec_0_none')).toBe(unknown.body.error.message);
  }
});

test('a user gets neither the full log nor what the agent returned', async () => {
  const { workspace, shown: executionId } = await withRuns();
  const user = await newUserToken(workspace, { resources: [guest] });
  expect((await user.post(operation('get'), { executionId, includeLog: true })).status).toBe(403);
  const { body } = await user.post(operation('get'), { executionId, includeResults: true });
  const { execution, results } = body.result.data;
  expect(execution).not.toHaveProperty('response');
  expect(execution).not.toHaveProperty('crawlerResults');
  expect(results.length).toBeGreaterThan(0);
  for (const page of results) expect(Object.keys(page)).not.toContain('data');
  const lines = (await user.post(operation('events'), { executionId, limit: 500 })).body.result.data;
  expect(lines.done).toBe(true);
  expect(lines.events.length).toBeGreaterThan(2);
  for (const { kind, data } of lines.events) {
    expect(['phase', 'page', 'result']).toContain(kind);
    expect(data).toEqual({});
  }
});

test('findings for users say nothing of judgments, knowledge and people behind them', () => {
  const secret = { groundedBy: [], precedent: {}, knowledgeSection: 'x', decidedBy: {}, reason: 'x' };
  const finding = { id: 'finding-1', artifactId: 'art', ...secret } as never;
  const link = (id: string) => `https://redpen.example/${id}`;
  expect(findingForUser(link)(finding)).toEqual({
    id: 'finding-1',
    artifactId: 'art',
    artifactUrl: 'https://redpen.example/art',
  });
  const page = {
    id: 'p',
    findings: [finding],
    data: {},
    heldBack: [],
    screenshot: { tiles: [{ artifactId: 't' }] },
  };
  expect(pageForUser(link)(page as never)).toEqual({
    id: 'p',
    findings: [{ id: 'finding-1', artifactId: 'art', artifactUrl: 'https://redpen.example/art' }],
    screenshot: { tiles: [{ artifactId: 't', url: 'https://redpen.example/t' }] },
  });
});

test('a link to a stored file works without credentials until it expires, and for this file alone', async () => {
  const workspace = await workspaceWithDocument();
  const { app, deps } = await testApp();
  const bytes = Buffer.from('a picture');
  const blobKey = `test/${workspace.apiKeyId}`;
  await deps.outside.blobs.put(blobKey, bytes, 'image/webp');
  const artifact = { executionId: 'e', name: 'page.webp', mimeType: 'image/webp', sizeBytes: 9, blobKey };
  await deps.db
    .insertInto('artifacts')
    .values(
      ['one', 'two'].map((artifactId) => ({
        ...artifact,
        artifactId,
        apiKeyId: workspace.apiKeyId,
        createdAt: 1,
      })),
    )
    .execute();
  const linkAt = (now: number) => artifactLinks(deps.keyring, () => '', workspace.apiKeyId, now)('one');
  const get = (url: string) => app.inject({ method: 'GET', url });
  const now = Date.now();
  const shown = await get(linkAt(now));
  expect([shown.statusCode, shown.rawPayload.equals(bytes)]).toEqual([200, true]);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-disposition': 'inline; filename="page.webp"',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=900, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  });
  for (const url of [
    linkAt(now - 3_600_001),
    linkAt(now).replace('/one?', '/two?'),
    linkAt(now).replace('purpose=artifact', 'purpose=original'),
    linkAt(now).replace('/agents/execution/files/', '/memory/knowledge/files/'),
    linkAt(now).replace(/signature=./, 'signature=-'),
  ])
    expect((await get(url)).statusCode).toBe(403);
});
