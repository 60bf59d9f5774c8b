import { expect, test } from 'vitest';
import { resourceTemplates } from '../../src/mcp/protocol/resources.ts';
import { tools } from '../../src/mcp/tools/all-tools.ts';
import { addMember } from '../people/members.ts';
import { newUserToken } from '../people/user-token.ts';
import { links, onDocument, siteOf, small, work, workspaceWithDocument } from '../reviews/runs.ts';
import { newWorkspace, send } from '../service/harness.ts';
import { mcpStage, textIn } from './mcp-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

interface Known {
  findingId: string;
  reviewId: string;
  annotationId: string;
  agentId: string;
  executionId: string;
  url: string;
}

/** Arguments of each tool, and the operations without which it cannot succeed. A new tool needs an entry. */
const CASES: Record<string, { input(known: Known): object; operations(known: Known): [string, object][] }> = {
  overview: {
    input: () => ({}),
    operations: () => [
      ['/v2/agents/findings/count', {}],
      ['/v2/organizations/get', {}],
      ['/v2/agents/get', { filter: 'customOnly' }],
      ['/v2/reviews/list', {}],
    ],
  },
  list_findings: {
    input: () => ({}),
    operations: () => [
      ['/v2/agents/findings/count', {}],
      ['/v2/agents/findings/list', {}],
    ],
  },
  get_finding: {
    input: ({ findingId }) => ({ findingId, screenshot: 'none' }),
    operations: ({ findingId }) => [['/v2/agents/findings/get', { findingId }]],
  },
  get_review: {
    input: ({ reviewId }) => ({ reviewId }),
    operations: ({ reviewId }) => [['/v2/reviews/get', { reviewId }]],
  },
  review_page: {
    input: ({ url }) => ({ urls: [url], agents: ['broken-links'], waitSeconds: 0 }),
    operations: ({ url }) => [['/v2/reviews/run', { urls: [url], agents: ['broken-links'] }]],
  },
  reply: {
    input: ({ findingId }) => ({ findingId, text: 'Hello' }),
    operations: ({ findingId, annotationId }) => [
      ['/v2/agents/findings/get', { findingId }],
      [
        '/v2/commentannotations/comments/add',
        { ...onDocument, annotationId, commentData: [{ commentText: 'Hello' }] },
      ],
    ],
  },
  propose_fix: {
    input: ({ findingId }) => ({ findingId, summary: 'Fix', newText: 'x' }),
    operations: ({ findingId }) => [
      ['/v2/agents/findings/get', { findingId }],
      [
        '/v2/commentannotations/add',
        { ...onDocument, commentAnnotations: [{ commentData: [{ commentText: 'Fix' }] }] },
      ],
    ],
  },
  decide: {
    input: ({ findingId }) => ({ findingIds: [findingId], decision: 'accept' }),
    operations: ({ findingId }) => [
      ['/v2/agents/findings/decide', { findingIds: [findingId], decision: 'accepted' }],
    ],
  },
  search_memory: {
    input: () => ({ query: 'links' }),
    operations: () => [
      ['/v2/memory/search', { query: 'links' }],
      ['/v2/memory/knowledge/search', { query: 'links' }],
    ],
  },
};

/** Each form of a resource, and the requests without which it cannot be read: operations, or files by their path. */
const RESOURCES: Record<string, (known: Known) => { uri: string; path: string; data?: object }> = {
  finding: ({ findingId }) => ({
    uri: `redpen://findings/${findingId}`,
    path: '/v2/agents/findings/get',
    data: { findingId },
  }),
  report: ({ reviewId }) => ({
    uri: `redpen://runs/${reviewId}/report.md`,
    path: `/v2/reviews/${reviewId}/report?format=markdown`,
  }),
  screenshot: ({ executionId }) => ({
    uri: `redpen://runs/${executionId}/pages/1/screenshot.webp`,
    path: `/v2/agents/execution/${executionId}/report?format=json`,
  }),
  agent: ({ agentId }) => ({
    uri: `redpen://agents/${agentId}.json`,
    path: '/v2/agents/get',
    data: { agentId },
  }),
};

const FROM = { userId: 'bot', name: 'Bot' };

/** The same request with an author, which an API key names itself. */
const withAuthor = (data: Any): object =>
  JSON.parse(JSON.stringify(data), (key, value) =>
    key === 'commentData' ? value.map((one: object) => ({ ...one, from: FROM })) : value,
  );

async function stage() {
  const w = await workspaceWithDocument();
  const site = await siteOf(small);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url: site.url, ...onDocument });
  await work(w, executionId);
  const { reviewId } = await w.must('/v2/reviews/run', { urls: [site.url], agents: [agentId] });
  const { findings } = await w.must('/v2/agents/findings/list', {});
  const [{ id: findingId, annotationId }] = findings;
  const known: Known = { findingId, annotationId, reviewId, agentId, executionId, url: site.url };
  const token = async (session: Any, scopes: string[]) => {
    const { body } = await session.post('/v2/tokens/create', { name: 'T', scopes });
    return { authorization: `Bearer ${body.result.data.token}` };
  };
  const viewer = await addMember(w, 'viewer');
  const editor = await addMember(w, 'editor');
  const user = (userId: string, accessRole: string) =>
    newUserToken(w, { userId, resources: [{ type: 'document', id: 'd', organizationId: 'o', accessRole }] });
  const callers: Record<string, Record<string, string>> = {
    'a viewer': await token(viewer.session, ['read']),
    'an editor': await token(editor.session, ['read', 'comment', 'decide', 'review']),
    'an editor whose token only reads': await token(editor.session, ['read']),
    'a user who views the document': (await user('v', 'viewer')).headers,
    'a user who edits the document': (await user('e', 'editor')).headers,
    'the API key': w.keyHeaders,
    'another workspace': (await newWorkspace()).keyHeaders,
  };
  return { w, known, callers };
}

test('each tool has a case', () => {
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(CASES).sort());
});

test('each tool gives each caller what its operations give, and refuses what they refuse', async () => {
  const { known, callers } = await stage();
  const { connect } = await mcpStage();
  const wrong: unknown[] = [];
  for (const [caller, headers] of Object.entries(callers)) {
    const client = await connect(headers);
    for (const [name, { input, operations }] of Object.entries(CASES)) {
      const answer: Any = await client.callTool({ name, arguments: input(known) as Record<string, unknown> });
      const replies = [];
      for (const [path, data] of operations(known))
        replies.push(
          await send(
            path,
            { data: caller === 'the API key' || caller === 'another workspace' ? withAuthor(data) : data },
            headers,
          ),
        );
      const refusals = replies.filter(({ status }) => status !== 200).map(({ body }) => body.error);
      const got = answer.isError ? answer.structuredContent.error : undefined;
      const isSame =
        refusals.length === 0
          ? got === undefined
          : refusals.some(
              ({ status, message }) => got?.status === status && textIn(answer).startsWith(message),
            );
      if (!isSame) wrong.push({ caller, name, got: got ?? textIn(answer).slice(0, 200), refusals });
      if (caller === 'another workspace') expect(textIn(answer)).not.toContain('/gone');
    }
  }
  expect(wrong).toEqual([]);
});

test('each form of a resource has a case', () => {
  expect(resourceTemplates.map(({ name }) => name).toSorted()).toEqual(Object.keys(RESOURCES).sort());
});

test('each resource gives each caller what its requests give, and refuses what they refuse', async () => {
  const { known, callers } = await stage();
  const { connect, url } = await mcpStage();
  const wrong: unknown[] = [];
  let refusals = 0;
  for (const [caller, headers] of Object.entries(callers)) {
    const client = await connect(headers);
    for (const [name, request] of Object.entries(RESOURCES)) {
      const { uri, path, data } = request(known);
      const reply = await fetch(url + path, {
        headers: { 'content-type': 'application/json', ...headers },
        ...(data && { method: 'POST', body: JSON.stringify({ data }) }),
      });
      const refused = reply.ok ? undefined : ((await reply.json()) as Any).error.message;
      // The agent of this test opens no browser, so a reader who may see the report learns that it has no picture.
      const expected = name === 'screenshot' ? (refused ?? 'No picture of this page is kept.') : refused;
      const got = await client.readResource({ uri }).then(
        ({ contents }) => (contents.length === 0 ? 'nothing' : undefined),
        (error: Error) => error.message,
      );
      if (refused !== undefined) refusals++;
      if (expected === undefined ? got !== undefined : !got?.includes(expected))
        wrong.push({ caller, name, got, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(refusals).toBeGreaterThan(Object.keys(RESOURCES).length);
});

test('the list of resources has nothing of another workspace', async () => {
  const { known, callers } = await stage();
  const { connect } = await mcpStage();
  const listOf = async (caller: string) =>
    JSON.stringify(await (await connect(callers[caller]!)).listResources());
  const own = await listOf('the API key');
  const other = await listOf('another workspace');
  for (const id of [known.findingId, known.reviewId, known.agentId]) {
    expect(own).toContain(id);
    expect(other).not.toContain(id);
  }
});

test('a request without credentials learns how to authenticate, and nothing else', async () => {
  const { url } = await mcpStage();
  for (const name of Object.keys(CASES)) {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});
