import { expect, test } from 'vitest';
import { siteOf, workspaceWithFindings } from '../reviews/runs.ts';
import { newWorkspace } from '../service/harness.ts';
import { asKey, type ClientEra, mcpStage, textIn } from './mcp-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const COUNT = 120;

/** A workspace whose document has a finding for each of many broken links. */
const workspaceWithMany = async () => {
  const anchors = Array.from(
    { length: COUNT },
    (_, n) => `<a href="/gone-${n}">Link ${n} ${'long '.repeat(60)}</a>`,
  );
  return (await workspaceWithFindings({ '/': anchors.join(' ') })).w;
};

test('cursors lead through all findings exactly once, in answers of at most 16 kB', async () => {
  const w = await workspaceWithMany();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w));
  const ids: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const answer: Any = await client.callTool({
      name: 'list_findings',
      arguments: { limit: 50, ...(cursor !== undefined && { cursor }) },
    });
    const { findings, nextCursor } = answer.structuredContent;
    const bytes =
      Buffer.byteLength(textIn(answer)) + Buffer.byteLength(JSON.stringify(answer.structuredContent));
    expect(bytes).toBeLessThanOrEqual(16_000);
    ids.push(...findings.map(({ id }: Any) => id));
    cursor = nextCursor;
    more = cursor !== undefined;
  }
  expect(ids).toHaveLength(COUNT);
  expect(new Set(ids).size).toBe(COUNT);
});

test('long names and comments keep the limits of answers', async () => {
  const w = await newWorkspace();
  const long = 'ü'.repeat(300);
  await w.must('/v1/organizations/documents/add', {
    organizationId: 'o',
    documents: Array.from({ length: 60 }, (_, n) => ({ documentId: `d${n}`, documentName: `${n} ${long}` })),
  });
  const { connect } = await mcpStage();
  const client = await connect(asKey(w));
  const overview = textIn(await client.callTool({ name: 'overview', arguments: {} }));
  expect(Buffer.byteLength(overview)).toBeLessThanOrEqual(16_000);
  expect(overview.split('\n').length).toBeLessThanOrEqual(60);

  const many = await workspaceWithMany();
  const other = await connect(asKey(many));
  const listed: Any = await other.callTool({ name: 'list_findings', arguments: { limit: 1 } });
  const { id } = listed.structuredContent.findings[0];
  for (let n = 0; n < 8; n++)
    await other.callTool({ name: 'reply', arguments: { findingId: id, text: 'ü'.repeat(10_000) } });
  const shown = await other.callTool({
    name: 'get_finding',
    arguments: { findingId: id, screenshot: 'none' },
  });
  expect(Buffer.byteLength(textIn(shown))).toBeLessThanOrEqual(6_000);
});

const WRONG: [string, object, string][] = [
  ['list_findings', { limit: 'ten' }, 'limit'],
  ['list_findings', { extra: 1 }, 'extra'],
  ['get_finding', { findingId: ['a'] }, 'findingId'],
  ['get_finding', { constructor: 1 }, 'findingId'],
  ['decide', { findingIds: [], decision: 'accept' }, 'findingIds'],
  ['review_page', { urls: ['file:///etc/passwd'] }, 'urls'],
];

test.each(WRONG)('%s refuses %j', async (name, given, named) => {
  const w = await newWorkspace();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w));
  const answer: Any = await client.callTool({ name, arguments: given as Record<string, unknown> });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { error: { status: 'INVALID_ARGUMENT' } },
  });
  expect(textIn(answer)).toContain(named);
});

test.each(['toString', '__proto__', 'constructor'])(
  'there is no tool, prompt or resource %s',
  async (name) => {
    const w = await newWorkspace();
    const { connect } = await mcpStage();
    const client = await connect(asKey(w));
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow('There is no such tool');
    await expect(client.getPrompt({ name })).rejects.toThrow('There is no prompt');
    await expect(client.readResource({ uri: `redpen://${name}` })).rejects.toThrow('There is no resource');
  },
);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const BAD: [string, string, Record<string, string>, number][] = [
  [
    'a body of more than 256 kB',
    JSON.stringify({ ...ping, params: { x: 'x'.repeat(262_144) } }),
    JSON_TYPE,
    413,
  ],
  ['broken JSON', '{"jsonrpc": "2.0", ', JSON_TYPE, 400],
  ['another content type', JSON.stringify(ping), { ...JSON_TYPE, 'content-type': 'text/plain' }, 415],
];

test.each(BAD)('the address refuses %s', async (_, body, headers, status) => {
  const w = await newWorkspace();
  const { url } = await mcpStage();
  const answer = await fetch(`${url}/mcp`, { method: 'POST', body, headers: { ...headers, ...asKey(w) } });
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining('error')]);
});

test.each(['GET', 'DELETE'])('the address answers %s with 405', async (method) => {
  const w = await newWorkspace();
  const { url } = await mcpStage();
  const answer = await fetch(`${url}/mcp`, { method, headers: { accept: 'text/event-stream', ...asKey(w) } });
  expect(answer.status).toBe(405);
});

test('calls of tools give their place among the requests at once back', async () => {
  const w = await workspaceWithMany();
  const { connect } = await mcpStage({ settings: { requestsAtOnce: 2 } });
  const client = await connect(asKey(w));
  for (let n = 0; n < 20; n++) {
    const answer = await client.callTool({ name: 'overview', arguments: {} });
    expect(textIn(answer)).toContain('open findings');
    expect(answer.isError, `call ${n}`).toBeFalsy();
  }
});

const ERAS: ClientEra[] = ['2026-07-28', '2025-11-25'];

/** A client whose review has begun, and never ends, because no worker takes it. */
async function waitingClient(era: ClientEra) {
  const w = await newWorkspace();
  const site = await siteOf({ '/': 'x' });
  const { connect, app } = await mcpStage();
  const client = await connect(asKey(w), { era });
  let started = () => {};
  const progressed = new Promise<void>((resolve) => {
    started = resolve;
  });
  const result = client
    .callTool(
      { name: 'review_page', arguments: { urls: [site.url], agents: ['broken-links'] } },
      { onprogress: () => started() },
    )
    .then(
      (answer) => textIn(answer),
      () => 'ended',
    );
  expect(await Promise.race([progressed.then(() => 'progress'), result])).toBe('progress');
  return { client, app, result };
}

test.each(ERAS)('a client of %s learns the id of its review when the server stops', async (era) => {
  const { app, result } = await waitingClient(era);
  const closed = app.close();
  expect(await result).toMatch(/^The service stops, and the review review_\w+ goes on/);
  await closed;
});

test.each(ERAS)('a client of %s that goes away ends its wait', async (era) => {
  const { client, app, result } = await waitingClient(era);
  await client.close();
  expect(await result).toBe('ended');
  await app.close();
});
