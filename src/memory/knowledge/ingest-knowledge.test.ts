import { expect, test } from 'vitest';
import { loseJobs } from '../../../test/database/lost-jobs.ts';
import { pdf, workbook } from '../../../test/fakes/made-files.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { type Embeddings, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import { FileFailure } from '../../outside/files/file-reader.ts';
import { requeueKnowledge } from '../../store/knowledge/knowledge-contents.ts';
import { getKnowledgeSource, knowledgeText } from '../../store/knowledge/knowledge-sources.ts';
import { findKnowledge } from './find-knowledge.ts';
import { ingestKnowledge } from './ingest-knowledge.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A model whose vectors count letters, and which fails after this many requests. */
function letters(
  model: string,
  questions = Number.POSITIVE_INFINITY,
  kind: EmbedFailure['kind'] = 'unavailable',
) {
  let left = questions;
  const vectorOf = (text: string) => {
    const counts = new Float32Array(26).fill(0.01);
    for (const letter of text.toLowerCase()) {
      const at = letter.charCodeAt(0) - 97;
      if (at >= 0 && at < 26) counts[at]! += 1;
    }
    const length = Math.hypot(...counts);
    return counts.map((count) => count / length);
  };
  const current = {
    model,
    embed: async (texts: readonly string[]) => {
      if (left-- <= 0) throw new EmbedFailure(kind, 'No.');
      return texts.map((text) => [vectorOf(text)]);
    },
    embedQuery: async (text: string) => {
      if (left <= 0) throw new EmbedFailure(kind, 'No.');
      return vectorOf(text);
    },
  };
  return { current, of: () => current, close: async () => {} } as Embeddings;
}

async function ingest(workspace: TestWorkspace, bytes: Buffer, mimeType: string, place: object = {}) {
  const { body } = await workspace.post('/v2/memory/knowledge/ingest', {
    source: 'inline',
    file: { base64: bytes.toString('base64'), mimeType, fileName: 'file', fileSize: bytes.length },
    ...place,
  });
  return body.result.sourceId as string;
}

async function ingestOnce(workspace: TestWorkspace, sourceId: string, outside: object) {
  const { deps } = await testApp();
  const { contentId } = (await getKnowledgeSource(deps.db, workspace, sourceId))!;
  const { workspaceId, apiKeyId } = workspace;
  const ref = { workspaceId, apiKeyId, contentId };
  const jobDeps = { ...deps, outside: { ...deps.outside, ...outside } };
  await ingestKnowledge(ref, jobDeps, new AbortController().signal);
  return (await getKnowledgeSource(deps.db, workspace, sourceId))!;
}

test('a PDF yields its pages in order, a workbook all of its sheets', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const outside = { embeddings: letters('letters') };
  const pages = pdf([
    ['TONE', 'We are calm.'],
    ['DATES', 'We write them in full.'],
  ]);
  const book = await ingest(workspace, pages, 'application/pdf');
  expect(await ingestOnce(workspace, book, outside)).toMatchObject({
    status: 'completed',
    kind: 'prose',
    chunkCount: 2,
  });
  expect(await knowledgeText(deps.db, workspace, book)).toMatch(/calm[\s\S]*in full/);
  const found = await findKnowledge(
    { db: deps.db, scorer: deps.scorer, embeddings: outside.embeddings },
    workspace,
    {
      query: 'dates',
      limit: 1,
      includeRules: false,
    },
  );
  expect(found).toMatchObject([{ sourceId: book, fileName: 'file', heading: 'DATES' }]);

  const sheets = workbook({
    Checks: [
      ['ID', 'Check', 'Category'],
      [1, 'Every page must have a title', 'SEO'],
      [2, 'Never link to a dead page', 'Links'],
    ],
    Prices: [
      ['Item', 'Price'],
      ['Pen', 3],
    ],
  });
  const table = await ingest(workspace, sheets, XLSX);
  expect(await ingestOnce(workspace, table, outside)).toMatchObject({
    kind: 'rules',
    ruleCount: 2,
    chunkCount: 2,
  });
  const text = await knowledgeText(deps.db, workspace, table);
  expect(text).toContain('## Checks\n\n| ID | Check | Category |\n| --- | --- | --- |\n| 1 | Every page');
  expect(text).toContain('## Prices');
});

test('an unreadable file fails with its reason, and the same file may be added again', async () => {
  const workspace = await newWorkspace();
  const broken = Buffer.from('%PDF-1.7\nnothing of the kind');
  const first = await ingest(workspace, broken, 'application/pdf');
  const failed = await ingestOnce(workspace, first, { embeddings: letters('letters') });
  expect(failed).toMatchObject({ status: 'failed', failureReason: 'pdf-llm-conversion-failed' });
  expect(failed.failureMessage).toMatch(/cannot be read/);
  const again = await ingest(workspace, broken, 'application/pdf');
  expect((await ingestOnce(workspace, again, { embeddings: letters('letters', 0) })).dedupOf).toBeNull();
});

test('a failed attempt resumes where it stopped, and a content that always fails is marked as failed', async () => {
  expectLog(/ingestion of knowledge failed/);
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const sections = Array.from({ length: 50 }, (_, index) => `# Part ${index}\n\nText of it.`).join('\n\n');
  const sourceId = await ingest(workspace, Buffer.from(sections), 'text/markdown');
  const busy = async () => {
    throw new FileFailure('aborted', 'Too many files are being read at the moment.');
  };
  expect((await ingestOnce(workspace, sourceId, { readFile: busy })).status).toBe('processing');
  const half = { embeddings: letters('letters', 1) };
  expect((await ingestOnce(workspace, sourceId, half)).status).toBe('processing');
  // The file has been read, so the reader is not called again.
  const rest = { embeddings: letters('letters', 1), readFile: busy };
  expect(await ingestOnce(workspace, sourceId, rest)).toMatchObject({ status: 'completed', chunkCount: 50 });
  const counted = await deps.db
    .selectFrom('knowledgeVectors')
    .select((eb) => eb.fn.countAll().as('many'))
    .where('apiKeyId', '=', workspace.apiKeyId)
    .executeTakeFirstOrThrow();
  expect(Number(counted.many)).toBe(50);

  const refused = await ingest(workspace, Buffer.from('Other text.'), 'text/plain');
  const ended = await ingestOnce(workspace, refused, { embeddings: letters('letters', 0, 'rejected') });
  expect(ended).toMatchObject({ status: 'failed', failureReason: 'embedding-failed' });
  const never = await ingest(workspace, Buffer.from('More text.'), 'text/plain');
  const down = { embeddings: letters('letters', 0) };
  for (let tries = 1; tries < 8; tries++)
    expect((await ingestOnce(workspace, never, down)).status).toBe('processing');
  expect(await ingestOnce(workspace, never, down)).toMatchObject({ failureReason: 'embedding-failed' });
});

test('a content with an expired lease is requeued, and a new model re-embeds it in the background', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const sourceId = await ingest(workspace, Buffer.from('Alpha beta.'), 'text/plain');
  const { contentId } = (await getKnowledgeSource(deps.db, workspace, sourceId))!;
  // Due before the contents of other tests, since only a limited number is requeued at once.
  const hold = (dueAt: number) =>
    deps.db
      .updateTable('knowledgeContents')
      .set({ heldBy: 'dead', dueAt })
      .where('contentId', '=', contentId)
      .execute();
  await hold(Date.now() + 60_000);
  expect((await ingestOnce(workspace, sourceId, { embeddings: letters('one') })).status).toBe('processing');
  expect(await requeueKnowledge(deps.db, deps.jobs, 'one')).not.toContain(contentId);
  await hold(-1);
  // The job still waits, so no second one is enqueued.
  expect(await requeueKnowledge(deps.db, deps.jobs, 'one')).not.toContain(contentId);
  await loseJobs(deps.db, contentId);
  expect(await requeueKnowledge(deps.db, deps.jobs, 'one')).toContain(contentId);
  const one = letters('one');
  expect((await ingestOnce(workspace, sourceId, { embeddings: one })).status).toBe('completed');

  const two = letters('two');
  const find = async (embeddings: Embeddings) => {
    const request = { query: 'alpha', limit: 5, includeRules: false };
    return (await findKnowledge({ db: deps.db, scorer: deps.scorer, embeddings }, workspace, request)).map(
      ({ distance }) => distance,
    );
  };
  expect(await find(one)).toEqual([expect.any(Number)]);
  expect(await find(two)).toEqual([undefined]);
  expect(await find(letters('one', 0))).toEqual([undefined]);
  await hold(-1);
  await loseJobs(deps.db, contentId);
  expect(await requeueKnowledge(deps.db, deps.jobs, 'two')).toContain(contentId);
  await ingestOnce(workspace, sourceId, { embeddings: two });
  expect(await find(two)).toEqual([expect.any(Number)]);
  expect(await requeueKnowledge(deps.db, deps.jobs, 'two')).not.toContain(contentId);
});

test('a place finds its own knowledge and that of the places around it, and none of its neighbors', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const embeddings = letters('letters');
  const places = [
    {},
    { organizationId: 'acme' },
    { organizationId: 'acme', documentId: 'home' },
    { organizationId: 'other', documentId: 'home' },
  ];
  for (const [index, place] of places.entries()) {
    const sourceId = await ingest(workspace, Buffer.from(`Text ${index}.`), 'text/plain', place);
    await ingestOnce(workspace, sourceId, { embeddings });
  }
  const find = async (place?: object) => {
    const request = { query: 'text', place, limit: 10, includeRules: false };
    const found = await findKnowledge({ db: deps.db, scorer: deps.scorer, embeddings }, workspace, request);
    return found.map(({ text }) => text).sort();
  };
  expect(await find()).toEqual(['Text 0.', 'Text 1.', 'Text 2.', 'Text 3.']);
  expect(await find(places[0])).toEqual(['Text 0.']);
  expect(await find(places[1])).toEqual(['Text 0.', 'Text 1.']);
  expect(await find(places[2])).toEqual(['Text 0.', 'Text 1.', 'Text 2.']);
});
