import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { stageModels } from '../../../test/reviews/model-stage.ts';
import { run, siteOf } from '../../../test/reviews/runs.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { ingestKnowledge } from '../../memory/knowledge/ingest-knowledge.ts';
import { getKnowledgeSource } from '../../store/knowledge/knowledge-sources.ts';

test('pages that agree with each other are reported if uploaded knowledge contradicts them', async () => {
  const w = await newWorkspace();
  const text = '# Facts\n\nOur office opens at 9.';
  const { body } = await w.post('/v2/memory/knowledge/ingest', {
    source: 'inline',
    file: {
      base64: Buffer.from(text).toString('base64'),
      mimeType: 'text/markdown',
      fileName: 'facts.md',
      fileSize: text.length,
    },
  });
  const { sourceId } = body.result;
  const { deps } = await testApp();
  const { contentId } = (await getKnowledgeSource(deps.db, w, sourceId))!;
  const { workspaceId, apiKeyId } = w;
  await ingestKnowledge({ workspaceId, apiKeyId, contentId }, deps, new AbortController().signal);

  const questions: { system: string; rest: string }[] = [];
  const fake = await fakeModels(({ system, texts }) => {
    const rest = texts.join('\n');
    if (!system.includes('The opening hours')) return { json: { summary: '', findings: [] } };
    questions.push({ system, rest });
    const deviations = [{ page: 1, title: 'Opens late', description: 'It says 10.', severity: 'medium' }];
    return { json: { expected: '9', deviations: /opens at 9/.test(rest) ? deviations : [] } };
  });
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  const site = await siteOf({ '/': 'We open at 10.', '/robots.txt': '# We open at 10.' });
  const agent = (sourceOfTruthKnowledgeSourceId: string) => ({
    instructions: 'Review.',
    contextGathering: { strategies: ['robots-txt'] },
    execution: { executionStrategy: 'ai' },
    scope: {
      crossPage: {
        enabled: true,
        targetProperty: 'The opening hours',
        pageDiscovery: 'manual',
        sourceOfTruthKnowledgeSourceId,
      },
    },
  });
  const { results } = await run(w, agent(sourceId), { url: site.url });
  expect(results[0].findings).toMatchObject([{ title: 'Opens late', issueType: 'cross-page-inconsistency' }]);
  expect(questions[0]!.system).toContain('The data block source of truth');
  expect(questions[0]!.system).not.toContain('opens at 9');
  expect(questions[0]!.rest).toMatch(
    /=== BEGIN DATA source of truth \w+ ===\nFile: facts.md\n[\s\S]*opens at 9/,
  );

  const { log } = await run(w, agent('src_unknown'), { url: site.url });
  expect(log.map(({ message }: { message: string }) => message).join('\n')).toContain(
    'compared with each other alone, since the source of truth src_unknown is not there.',
  );
});
