import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { type Judged, judge } from '../../../test/memory/judged-history.ts';
import { stageModels } from '../../../test/reviews/model-stage.ts';
import { annotations, onDocument, siteOf, work, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const casing = (words: string, severity = 'medium') => ({
  title: 'Heading is not in sentence case',
  description: `The heading “${words}” uses title case; the guide asks for sentence case.`,
  severity,
  issueType: 'casing',
  targetText: words,
  suggestion: words.toLowerCase(),
  confidence: 90,
});
const grave = {
  ...casing('', 'high'),
  title: 'The price lacks value added tax',
  description: 'A price for consumers is shown without value added tax, which the law demands.',
  issueType: 'price',
};

/** An agent whose model finds on each page what the test plants. */
async function startAgent(w: TestWorkspace, more: object = {}) {
  const planted: Record<string, object[]> = {};
  const fake = await fakeModels(({ texts }) => {
    const path = new URL(/^URL: (\S+)/m.exec(texts.join('\n'))![1]!).pathname;
    return { json: { summary: '', findings: planted[path] ?? [] } };
  });
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  const { url } = await siteOf({});
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'A',
    instructions: 'Review.',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'ai' },
    ...more,
  });
  return async (path: string, findings: object[], place: object = onDocument): Promise<Any> => {
    planted[path] = findings;
    const run = { agentId, url: `${url}${path}`, ...place };
    const { executionId } = await w.must('/v2/agents/execution/run', run);
    return await work(w, executionId);
  };
}

const titled = (findings: Any[]) => findings.map(({ title }) => title);

test('findings that reviewers keep rejecting are held back, or marked if severe, until reviewers approve one', async () => {
  const w = await workspaceWithDocument();
  const run = await startAgent(w);
  await run('/a', [casing('Our Services'), grave]);
  await run('/b', [casing('Contact Sales'), grave]);
  const created = await annotations(w);
  expect(created).toHaveLength(4);
  await w.must('/v2/commentannotations/update', {
    ...onDocument,
    annotationIds: created.map(({ annotationId }: Any) => annotationId),
    updatedData: { suggestion: { status: 'rejected', rejectReason: 'We write it so.' } },
  });

  const others = [
    { ...casing('Our Prices'), title: 'Heading level is skipped', description: 'An h4 follows an h2.' },
    { ...casing('Servces'), title: 'Spelling', description: 'It is misspelt.', issueType: 'spelling' },
  ];
  const { execution, results, log } = await run('/c', [casing('Get Started Today'), grave, ...others]);
  const [page] = results;
  expect(titled(page.findings)).toEqual(titled([grave, ...others]));
  expect(page.findings[0].precedent).toMatchObject({
    scope: 'document',
    rejected: 2,
    approved: 0,
    note: 'Reviewers of this document rejected 2 findings like this one and approved none. It is reported since it is high.',
  });
  expect(page.heldBack).toMatchObject([
    {
      title: 'Heading is not in sentence case',
      severity: 'medium',
      targetText: 'Get Started Today',
      precedent: { rejected: 2, judgments: [{}, {}] },
    },
  ]);
  const [judgment] = page.heldBack[0].precedent.judgments;
  expect(judgment).toMatchObject({
    decision: 'reject',
    reviewer: { userId: 'system' },
    reasoning: 'We write it so.',
    similarity: expect.any(Number),
    createdAt: expect.any(Number),
  });
  expect(execution.resultsSummary).toMatchObject({
    totalFindings: 3,
    totalAnnotationsCreated: 3,
    heldBack: 1,
  });
  expect(execution.resultsSummary.summary).toContain('1 finding was held back');
  expect(log.find(({ message }: Any) => message.includes('held back “')).data.judgments).toHaveLength(2);
  const all = await annotations(w);
  expect(all).toHaveLength(7);
  const marked = all.find(({ agent }: Any) => agent.reason.precedent);
  expect(marked.agent.reason.precedent.note).toContain('It is reported since it is high.');

  // Precedents do not apply to a run without the document.
  expect((await run('/z', [casing('Get Started Today')], {})).results[0].findings).toHaveLength(1);

  // An existing suggestion is kept.
  const again = await run('/a', [casing('Our Services')]);
  expect(again.results[0]).not.toHaveProperty('heldBack');

  await w.must('/v2/memory/judgments/delete', { recordIds: [judgment.recordId] });
  const { results: after } = await run('/d', [casing('Learn More Here')]);
  expect(titled(after[0].findings)).toEqual(['Heading is not in sentence case']);
  const details = await w.must('/v2/agents/execution/get', {
    executionId: execution.id,
    includeResults: true,
  });
  const gone = details.results[0].heldBack[0].precedent.judgments.find(
    (one: Any) => one.recordId === judgment.recordId,
  );
  expect(gone.reviewer).toBeNull();
});

const like = (id: string, more: Judged = {}): Judged => ({
  id,
  organizationId: 'o',
  decision: 'reject',
  content: `${casing('X').title}. ${casing(`Words ${id}`).description}`,
  contentType: 'casing',
  by: 'ann',
  ...more,
});

test('decisions of other tenants, outdated ones and those from pages with prompt injections hold nothing back', async () => {
  const ann = { actionUser: { userId: 'ann' } };
  const injected = { agent: { agentId: 'x', injected: true } };
  const stranger = await newWorkspace();
  await judge(stranger, [like('s1'), like('s2')]);
  const cases: [string, Judged[], boolean][] = [
    ['two of this organization', [like('a'), like('b')], true],
    ['one', [like('a')], false],
    ['pages that give orders', [like('a', injected), like('b', injected)], false],
    ['another organization', [like('a', { organizationId: 'p' }), like('b', { organizationId: 'p' })], false],
    [
      'an approval since',
      [like('a', { createdAt: 1 }), like('b', { createdAt: 2 }), like('c', { decision: 'approve' })],
      false,
    ],
  ];
  for (const [name, judgments, isHeld] of cases) {
    const w = await workspaceWithDocument();
    const brought = { judgments: judgments.map(({ by, ...one }) => ({ ...one, ...ann, reasoning: 'No.' })) };
    await w.post('/v2/memory/judgments/add', brought);
    const { results } = await (await startAgent(w))('/', [casing('Get Started Today')]);
    expect([name, results[0].heldBack?.length ?? 0]).toEqual([name, isHeld ? 1 : 0]);
    if (!isHeld) continue;
    const off = await startAgent(w, { postProcess: { guardrails: { enabled: false } } });
    expect((await off('/', [casing('Get Started Today')])).results[0].findings).toHaveLength(1);
  }
});
