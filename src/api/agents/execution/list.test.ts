import { expect, test } from 'vitest';
import { addDocuments, amend, LIST, newAgent, remove, start } from '../../../../test/executions.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/harness.ts';
import { planPages } from '../../../store/agents/execution-pages.ts';

const idsOf = (data: { executions: { id: string }[] }) => data.executions.map(({ id }) => id);

/** Starts runs of one agent, one second apart. Returns their ids, newest first. */
async function startMany(w: TestWorkspace, agentId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const executionId = await start(w, { agentId });
    await amend(w, executionId, { startedAt: 1_700_000_000_000 + index * 1_000 });
    ids.unshift(executionId);
  }
  return ids;
}

test('list filters by agent, by document and by both', async () => {
  const w = await newWorkspace();
  await addDocuments(w, 'd', 'd2');
  const [a, b] = [await newAgent(w), await newAgent(w)];
  const on = (agentId: string, documentId: string) => start(w, { agentId, organizationId: 'o', documentId });
  const bare = await start(w, { agentId: a });
  const [ad, ad2, bd] = [await on(a, 'd'), await on(a, 'd2'), await on(b, 'd')];
  const list = async (filter: object) => idsOf(await w.must(LIST, filter)).sort();
  expect(await list({ agentId: a })).toEqual([bare, ad, ad2].sort());
  expect(await list({ organizationId: 'o', documentId: 'd' })).toEqual([ad, bd].sort());
  expect(await list({ agentId: a, organizationId: 'o', documentId: 'd' })).toEqual([ad]);
  for (const filter of [
    { agentId: 'none' },
    { organizationId: 'o', documentId: 'x' },
    { organizationId: 'x', documentId: 'd' },
    { agentId: b, organizationId: 'o', documentId: 'd2' },
  ]) {
    expect(await w.must(LIST, filter)).toEqual({ executions: [] });
  }
});

test.each<Record<string, unknown>>([
  {},
  { pageSize: 5 },
  { organizationId: 'o' },
  { documentId: 'd' },
  { agentId: 'a', organizationId: 'o' },
  { agentId: 'a', documentId: 'd' },
  { organizationId: 'o', status: 'failed' },
  { documentId: 'd', scope: 'apiKey' },
  { agentId: 'a', organizationId: 'o', startedAfter: 1 },
])('list refuses %j, which is not an allowed combination', async (filter) => {
  const w = await newWorkspace();
  expect(await w.post(LIST, filter)).toMatchObject({
    status: 400,
    body: {
      error: {
        status: 'INVALID_ARGUMENT',
        message: 'Give agentId, or organizationId and documentId, or all three.',
      },
    },
  });
});

test.each<[Record<string, unknown>, string]>([
  [{ agentId: '' }, 'agentId must not be empty.'],
  [{ agentId: ' \t\n' }, 'agentId must not be empty.'],
  [{ agentId: '\u3000' }, 'agentId must not be empty.'],
  [{ agentId: null }, 'agentId must be a string.'],
  [{ agentId: 'a', organizationId: '', documentId: 'd' }, 'organizationId must not be empty.'],
  [{ organizationId: 'o', documentId: ' ' }, 'documentId must not be empty.'],
  [{ agentId: 'a', pageSize: 0 }, 'pageSize must be at least 1.'],
  [{ agentId: 'a', pageSize: -1 }, 'pageSize must be at least 1.'],
  [{ agentId: 'a', pageSize: 101 }, 'pageSize must be at most 100.'],
  [{ agentId: 'a', pageSize: 1.5 }, 'pageSize must be a whole number.'],
  [{ agentId: 'a', pageSize: '20' }, 'pageSize must be a number.'],
  [{ agentId: 'a', pageSize: null }, 'pageSize must be a number.'],
  [{ agentId: 'a', pageToken: '' }, 'pageToken must not be empty.'],
  [{ agentId: 'a', pageToken: ' ' }, 'pageToken is not valid.'],
  [{ agentId: 'a', pageToken: 'garbage' }, 'pageToken is not valid.'],
  [{ agentId: 'a', pageToken: 7 }, 'pageToken must be a string.'],
  [{ agentId: 'a', state: 'running' }, 'state is not a known field.'],
  [{ status: 'done' }, 'status must be running, passed, failed, partial, error or skipped or a list.'],
  [{ status: [] }, 'status must not be empty.'],
  [{ startedAfter: -1 }, 'startedAfter must be at least 0.'],
  [{ startedBefore: '1' }, 'startedBefore must be a number.'],
  [{ url: 'ftp://example.com/' }, 'url must be a valid http(s) URL.'],
  [{ trigger: 'x' }, 'trigger must be standalone or workflow.'],
  [{ scope: 'workspace' }, 'scope must be apiKey.'],
])('list refuses %j', async (data, message) => {
  const w = await newWorkspace();
  expect(await w.post(LIST, data)).toMatchObject({
    status: 400,
    body: { error: { status: 'INVALID_ARGUMENT', message } },
  });
});

test('list pages from the newest to the oldest start, and ends without a token', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 21);
  const { status, body } = await w.post(LIST, { agentId });
  expect([status, body.result.message]).toEqual([200, 'Executions listed successfully']);
  expect(idsOf(body.result.data)).toEqual(ids.slice(0, 20));
  const rest = await w.must(LIST, { agentId, pageToken: body.result.data.nextPageToken });
  expect(idsOf(rest)).toEqual(ids.slice(20));
  expect(rest).not.toHaveProperty('nextPageToken');
  expect(await w.must(LIST, { agentId, pageSize: 21 })).not.toHaveProperty('nextPageToken');
  const two = await w.must(LIST, { agentId, pageSize: 2 });
  expect(idsOf(two)).toEqual(ids.slice(0, 2));
});

test('executions that started in the same millisecond are each listed once', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 7);
  for (const id of ids) await amend(w, id, { startedAt: 1_700_000_000_000 });
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await w.must(LIST, { agentId, pageSize: 2, pageToken });
    seen.push(...idsOf(page));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test('a page starts right after the previous one, whatever is added and deleted in between', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 6);
  const first = await w.must(LIST, { agentId, pageSize: 2 });
  await start(w, { agentId });
  await remove(w, ids[0]!);
  await remove(w, ids[2]!);
  const next = await w.must(LIST, { agentId, pageSize: 2, pageToken: first.nextPageToken });
  expect(idsOf(next)).toEqual([ids[3], ids[4]]);
});

test('a page token is valid only for its tenant, and while its execution exists', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 2);
  const { nextPageToken: pageToken } = await w.must(LIST, { agentId, pageSize: 1 });
  const refused = async (of: TestWorkspace, token: string) =>
    (await of.post(LIST, { agentId, pageToken: token })).body.error?.message;
  expect(await refused(other, pageToken)).toBe('pageToken is not valid.');
  expect(await refused(w, `${pageToken}x`)).toBe('pageToken is not valid.');
  expect(await refused(w, pageToken)).toBeUndefined();
  await remove(w, ids[0]!);
  expect(await refused(w, pageToken)).toBe('pageToken points to an execution that was deleted.');
});

test('a row has the fields of an execution without the results of its pages', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  await start(w, { agentId, ranBy: { userId: 'u', name: 'Ulla', email: 'u@example.com' } });
  const { executions } = await w.must(LIST, { agentId });
  expect(Object.keys(executions[0]).sort()).toEqual([
    'agentId',
    'agentName',
    'agentVersion',
    'completedAt',
    'config',
    'durationMs',
    'id',
    'metadata',
    'previousExecutionId',
    'ranBy',
    'resultsSummary',
    'startedAt',
    'status',
    'tokenUsage',
    'trigger',
    'workflowExecutionId',
  ]);
  expect(executions[0].ranBy).toEqual({ userId: 'u', name: 'Ulla', email: 'u@example.com' });
});

test('list returns no executions of another tenant', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  for (const tenant of [w, other]) {
    await addDocuments(tenant, 'd');
    await start(tenant, { agentId: 'broken-links', organizationId: 'o', documentId: 'd' });
  }
  for (const filter of [{ agentId: 'broken-links' }, { organizationId: 'o', documentId: 'd' }]) {
    expect((await w.must(LIST, filter)).executions).toHaveLength(1);
  }
});

test('with scope or a filter, list goes over the whole API key', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  await addDocuments(w, 'd');
  const agentId = await newAgent(w);
  await start(other, { agentId: await newAgent(other) });
  const at = 1_700_000_000_000;
  const rows: [string, object][] = [
    ['passed', {}],
    ['error', { url: 'http://127.0.0.1:9/b' }],
    ['failed', { organizationId: 'o', documentId: 'd' }],
    ['running', { trigger: 'workflow', workflowExecutionId: 'w' }],
  ];
  const ids: string[] = [];
  for (const [index, [status, request]] of rows.entries()) {
    const id = await start(w, { agentId, ...request });
    await amend(w, id, { status: status as 'passed', startedAt: at + index });
    ids.push(id);
  }
  const [passed, error, failed, running] = ids;
  const list = async (filter: object) => idsOf(await w.must(LIST, filter));
  expect(await list({ scope: 'apiKey' })).toEqual([running, failed, error, passed]);
  expect(await list({ status: 'error' })).toEqual([error]);
  expect(await list({ status: ['passed', 'failed', 'passed'] })).toEqual([failed, passed]);
  expect(await list({ startedAfter: at, startedBefore: at + 3 })).toEqual([failed, error]);
  expect(await list({ url: 'HTTP://127.0.0.1:9/b' })).toEqual([error]);
  expect(await list({ trigger: 'workflow' })).toEqual([running]);
  expect(await list({ agentId, status: ['error'] })).toEqual([error]);
  expect(await list({ organizationId: 'o', documentId: 'd', status: 'passed' })).toEqual([]);
  expect(await list({ url: 'http://127.0.0.1:9', status: 'passed' })).toEqual([passed]);
});

test('the filter by url finds runs that start on the page and runs that review it, once each', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const { deps } = await testApp();
  const ids = await startMany(w, agentId, 4);
  for (const executionId of ids.slice(1))
    await deps.db
      .transaction()
      .execute((tx) =>
        planPages(tx, { apiKeyId: w.apiKeyId, executionId }, ['http://127.0.0.1:9/', 'http://127.0.0.1:9/a']),
      );
  const list = async (data: object) => await w.must(LIST, data);
  expect(idsOf(await list({ url: 'http://127.0.0.1:9/' }))).toEqual(ids);
  const first = await list({ url: 'http://127.0.0.1:9/a', pageSize: 2 });
  expect(idsOf(first)).toEqual(ids.slice(1, 3));
  const { nextPageToken: pageToken } = first;
  expect(idsOf(await list({ url: 'http://127.0.0.1:9/a', pageSize: 2, pageToken }))).toEqual(ids.slice(3));
});
