import { expect, test } from 'vitest';
import { addDocuments, amend, LIST, newAgent, remove, start } from '../../../../test/reviews/executions.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
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

test('list refuses places that are not whole, and bad addresses', async () => {
  const w = await newWorkspace();
  for (const filter of [
    { pageSize: 5 },
    { agentId: 'a', organizationId: 'o', startedAfter: 1 },
    { agentId: 'a', documentId: 'd' },
    { documentId: 'd', scope: 'apiKey' },
  ])
    expect((await w.post(LIST, filter)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'Give agentId, or organizationId and documentId, or all three.',
    });
  const { body } = await w.post(LIST, { url: 'ftp://example.com/' });
  expect(body.error.message).toBe('url must be a valid http(s) URL.');
});

test('list pages from the newest to the oldest start, and ends without a token', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 21);
  const { body } = await w.post(LIST, { agentId });
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

test('a page token is valid only as it was given, and while its execution exists', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const ids = await startMany(w, agentId, 2);
  const { nextPageToken: pageToken } = await w.must(LIST, { agentId, pageSize: 1 });
  const refused = async (token: string) =>
    (await w.post(LIST, { agentId, pageToken: token })).body.error?.message;
  expect(await refused(`${pageToken}x`)).toBe('pageToken is not valid.');
  expect(await refused(pageToken)).toBeUndefined();
  await remove(w, ids[0]!);
  expect(await refused(pageToken)).toBe('pageToken points to an execution that was deleted.');
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
