import { expect, test } from 'vitest';
import { asKey, type ClientEra, mcpStage, textIn } from '../../../test/mcp/mcp-stage.ts';
import { workspaceWithFindings } from '../../../test/reviews/runs.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const ERAS: ClientEra[] = ['2026-07-28', '2025-11-25'];

test.each(ERAS)('a client of %s finds the tools, in less than 10 kB', async (era) => {
  const { w } = await workspaceWithFindings();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w), { era });
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual([
    'overview',
    'list_findings',
    'get_finding',
    'review_page',
    'get_review',
    'reply',
    'propose_fix',
    'decide',
    'search_memory',
  ]);
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(10_000);
  const reading = await connect(asKey(w), { era, path: '/mcp/readonly' });
  const { tools } = await reading.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'overview',
    'list_findings',
    'get_finding',
    'get_review',
    'search_memory',
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  await expect(
    reading.callTool({ name: 'decide', arguments: { findingIds: ['x'], decision: 'accept' } }),
  ).rejects.toThrow('This address only reads: /mcp has the tool "decide".');
});

test.each(ERAS)('a client of %s lists findings, reads one, replies and decides', async (era) => {
  const { w, findings } = await workspaceWithFindings();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w), { era });
  const call = async (name: string, args: object = {}): Promise<Any> =>
    await client.callTool({ name, arguments: args as Record<string, unknown> });

  expect(textIn(await call('overview'))).toContain('- o/d "D": 2 open findings (1 high, 1 low)');
  const list = await call('list_findings', { severity: ['high'] });
  expect(list.structuredContent.findings).toMatchObject([{ severity: 'high', rule: 'broken-link' }]);
  const [{ id }] = list.structuredContent.findings;
  const { annotationId } = findings.find((one) => one.id === id);

  const shown = textIn(await call('get_finding', { findingId: id, screenshot: 'none' }));
  expect(shown).toContain('HTML: <a href="/gone">gone</a>');
  expect(shown).toContain(`Thread ${annotationId}: suggestion pending`);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(6_000);

  await call('reply', { findingId: id, text: 'I remove the link.' });
  expect(textIn(await call('get_finding', { findingId: id, screenshot: 'none' }))).toContain(
    'I remove the link.',
  );
  const proposed = await call('propose_fix', {
    findingId: id,
    summary: 'Remove the link',
    oldText: '<a href="/gone">gone</a>',
    newText: 'gone',
  });
  const [suggestion] = await w.must('/v2/commentannotations/get', {
    organizationId: 'o',
    documentId: 'd',
    annotationIds: [proposed.structuredContent.annotationId],
  });
  expect(suggestion).toMatchObject({
    suggestion: { status: 'pending', oldValue: '<a href="/gone">gone</a>', newValue: 'gone' },
    context: { findingId: id },
  });
  const refused = await call('decide', { findingIds: [id], decision: 'reject' });
  expect(refused).toMatchObject({ isError: true });
  expect(textIn(refused)).toContain('reason: is required to reject');
  await call('decide', { findingIds: [id], decision: 'reject', reason: 'The page comes back soon.' });
  const { finding } = await w.must('/v2/agents/findings/get', { findingId: id });
  expect(finding).toMatchObject({ decision: 'rejected', reason: 'The page comes back soon.' });
  const remembered = textIn(await call('search_memory', { query: 'Does the page come back?' }));
  expect(remembered).toMatch(/- reject by (.+), by the assistant \1, .*: The page comes back soon\./);
});
