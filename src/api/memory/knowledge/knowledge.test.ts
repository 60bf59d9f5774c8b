import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { deleteMarkedFiles } from '../../../files/stored-files.ts';
import { ingestKnowledge } from '../../../memory/knowledge/ingest-knowledge.ts';
import { getKnowledgeSource } from '../../../store/knowledge/knowledge-sources.ts';

const inline = (text: string | Buffer, mimeType = 'text/markdown', fileName = 'guide.md') => {
  const bytes = Buffer.from(text);
  return {
    source: 'inline',
    file: { base64: bytes.toString('base64'), mimeType, fileName, fileSize: bytes.length },
  };
};

const RULES = `# Voice

- Always use the Oxford comma.
- Never shout at readers.
- Product names must be spelt as in ERR-4521.
`;

async function ingest(workspace: TestWorkspace, data: object): Promise<string> {
  const { status, body } = await workspace.post('/v2/memory/knowledge/ingest', data);
  expect([status, body.result?.status]).toEqual([200, 'processing']);
  return body.result.sourceId;
}

/** Runs the work of the worker on a source. */
async function processSource(workspace: TestWorkspace, sourceId: string, outside = {}): Promise<void> {
  const { deps } = await testApp();
  const source = await getKnowledgeSource(deps.db, workspace, sourceId);
  const { workspaceId, apiKeyId } = workspace;
  await ingestKnowledge(
    { workspaceId, apiKeyId, contentId: source!.contentId },
    { ...deps, outside: { ...deps.outside, ...outside } },
    new AbortController().signal,
  );
}

const statusOf = async (workspace: TestWorkspace, sourceId: string) =>
  (await workspace.post('/v2/memory/knowledge/ingest-status', { sourceId })).body.result;

const must = async (workspace: TestWorkspace, path: string, data: object = {}) => {
  const { status, body } = await workspace.post(`/v2/memory/knowledge/${path}`, data);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.result;
};

test('a file is ingested, listed, found by meaning and by names, changed and deleted', async () => {
  const workspace = await newWorkspace();
  const sourceId = await ingest(workspace, inline(RULES));
  expect(sourceId).toMatch(/^src_/);
  expect(await statusOf(workspace, sourceId)).toMatchObject({ status: 'processing', sourceId });
  expect(await must(workspace, 'download', { sourceId })).toBeNull();
  await processSource(workspace, sourceId);

  const done = await statusOf(workspace, sourceId);
  expect(done).toMatchObject({ status: 'completed', extractedRulesCount: 3, chunkCount: 1 });
  expect(await must(workspace, 'download', { sourceId })).toBe(RULES.trim());
  const rules = await must(workspace, 'rules', { sourceId });
  expect(rules[0]).toEqual({
    id: expect.any(String),
    content: 'Always use the Oxford comma.',
    category: 'Voice',
    index: 0,
  });
  const [listed] = await must(workspace, 'list');
  expect(listed).toMatchObject({ id: sourceId, embeddingStatus: 'completed', ruleCount: 3 });
  expect(listed.sha256).toBe(createHash('sha256').update(RULES).digest('hex'));

  const found = await must(workspace, 'search', { query: 'commas in lists', includeRules: true, limit: 1 });
  expect(found.results[0]).toMatchObject({ sourceId, kind: 'rule', ruleId: rules[0].id, category: 'Voice' });
  expect(found.results[0].score).toBeGreaterThanOrEqual(0);
  expect(found.recordsSearched).toBe(1);
  const named = await must(workspace, 'search', { query: 'ERR-4521', includeRules: true, limit: 1 });
  expect(named.results[0].ruleId).toBe(rules[2].id);
  expect((await must(workspace, 'search', { query: 'x', sourceId: 'src_unknown' })).results).toEqual([]);

  const changed = await must(workspace, 'update', {
    sourceId,
    newContent: '# Voice\n\n- Always use the Oxford comma.\n- Avoid passive voice.\n',
  });
  expect(changed).toEqual({
    diff: {
      added: ['Avoid passive voice.'],
      removed: ['Never shout at readers.', 'Product names must be spelt as in ERR-4521.'],
      unchanged: 1,
    },
    newVersion: 2,
  });
  await processSource(workspace, sourceId);
  const [first, second] = await must(workspace, 'rules', { sourceId });
  expect([first.id, second.content]).toEqual([rules[0].id, 'Avoid passive voice.']);
  const again = await must(workspace, 'search', { query: 'passive', includeRules: true });
  expect(again.results.every((one: { score?: number }) => one.score !== undefined)).toBe(true);

  expect(await must(workspace, 'delete', { sourceId })).toEqual({
    status: 'deleted',
    sourceId,
    deletedChunks: 1,
    deletedRules: 2,
  });
  const { deps } = await testApp();
  for (const table of [
    'knowledgeContents',
    'knowledgeItems',
    'knowledgeVectors',
    'knowledgeTrash',
  ] as const) {
    const rows = await deps.db
      .selectFrom(table)
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .execute();
    expect(rows).toEqual([]);
  }
});

test('a file that is added twice is stored once, and both sources have its content', async () => {
  const workspace = await newWorkspace();
  const sourceIds = await Promise.all(
    [1, 2].map((count) => ingest(workspace, inline(RULES, undefined, `${count}`))),
  );
  const { dedupOf: first } = (await Promise.all(sourceIds.map((id) => statusOf(workspace, id)))).find(
    ({ dedupOf }) => dedupOf,
  );
  const second = sourceIds.find((id) => id !== first)!;
  await processSource(workspace, first);
  expect(await statusOf(workspace, second)).toMatchObject({ status: 'completed', dedupOf: first });
  expect(await must(workspace, 'rules', { sourceId: second })).toHaveLength(3);
  const found = await must(workspace, 'search', { query: 'comma', sourceId: second });
  expect(found.results.map((one: { sourceId: string }) => one.sourceId)).toEqual([second]);

  const refused = await workspace.post('/v2/memory/knowledge/delete', { sourceId: first });
  expect([refused.status, refused.body.error.status, refused.body.error.details]).toEqual([
    409,
    'ABORTED',
    { dependentCount: 1 },
  ]);
  expect(await must(workspace, 'delete', { sourceId: second })).toMatchObject({ deletedChunks: 0 });
  expect(await must(workspace, 'delete', { sourceId: first })).toMatchObject({ deletedChunks: 1 });
  const { deps } = await testApp();
  await deleteMarkedFiles(deps.db, deps.outside.blobs, Date.now());
  const trash = deps.db.selectFrom('knowledgeTrash').where('apiKeyId', '=', workspace.apiKeyId);
  expect(await trash.selectAll().execute()).toEqual([]);
});

test('an organization is deleted with its sources, and shared content stays with the others', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  const own = await ingest(workspace, { ...inline('- Must go.\n- Must leave.'), organizationId: 'acme' });
  const shared = await ingest(workspace, { ...inline(RULES), organizationId: 'acme', documentId: 'home' });
  const other = await ingest(workspace, inline(RULES));
  await processSource(workspace, shared);
  await workspace.must('/v2/organizations/delete', { organizationIds: ['acme'] });
  for (const sourceId of [own, shared]) {
    expect((await workspace.post('/v2/memory/knowledge/ingest-status', { sourceId })).status).toBe(404);
  }
  const left = await statusOf(workspace, other);
  expect([left.status, left.dedupOf]).toEqual(['completed', undefined]);
});
