import { expect, test } from 'vitest';
import { tools } from '../src/mcp/tools/all-tools.ts';
import { newWorkspace, send } from './harness.ts';
import { mcpStage, textIn } from './mcp-stage.ts';
import { addMember } from './members.ts';
import { links, onDocument, siteOf, small, work, workspaceWithDocument } from './runs.ts';
import { newUserToken } from './user-token.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

interface Known {
  findingId: string;
  reviewId: string;
  annotationId: string;
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
  const known: Known = { findingId, annotationId, reviewId, url: site.url };
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
