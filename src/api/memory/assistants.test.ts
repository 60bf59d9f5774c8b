import { expect, test } from 'vitest';
import { through } from '../../../test/people/assistant.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { embedWaiting } from '../../memory/embedding/embedding-worker.ts';
import { readDecisions } from '../../memory/insights/read-judgments.ts';
import { rankIds } from '../../memory/ranking/rank.ts';
import { suggestDecision } from '../../memory/suggestions/suggest.ts';

const query = 'The headline of the page is in title case.';
const content = 'The headline uses title case.';

const judged = (decision: string, reviewer: string, at: number) => ({
  decision,
  reasoning: `${reviewer} thinks of capitals so, for reason ${at}.`,
  content,
  contentType: 'headline',
  annotationId: `thread-${at}`,
  actionUser: { userId: reviewer, name: reviewer },
});

async function remember(caller: Pick<TestWorkspace, 'post'>, judgments: object[]): Promise<void> {
  const { body } = await caller.post('/v2/memory/judgments/add', { judgments });
  expect(body.result).toMatchObject({ added: judgments.length, failed: [] });
}

test('thirty rejections of an assistant change neither what the memory suggests nor what it learns', async () => {
  const w = await newWorkspace();
  const { deps } = await testApp();
  const approvals = ['ana', 'bo', 'cy', 'ana', 'bo'].map((reviewer, at) => judged('approve', reviewer, at));
  await remember(w, approvals);
  await embedWaiting(deps, w);
  const { embeddings } = deps.outside;
  const now = Date.now();
  const ask = async (rank?: typeof rankIds) =>
    await suggestDecision(
      { db: deps.db, embeddings, scorer: deps.scorer, now, scopeLimitMs: 60_000, ...(rank && { rank }) },
      w,
      { query, place: {} },
    );
  const before = [await ask(), await ask(rankIds)];
  expect(before[0]?.primary).toMatchObject({ recommendation: 'approve', basedOn: 5 });
  const learned = () => readDecisions(deps.db, w, '', async () => {});
  const decisions = await learned();
  expect(decisions).toHaveLength(5);

  const rejections = Array.from({ length: 30 }, (_, at) => judged('reject', 'ana', at));
  await remember(through(w), rejections);
  await embedWaiting(deps, w);
  expect([await ask(), await ask(rankIds)]).toEqual(before);
  expect(await learned()).toEqual(decisions);

  // They can be found, as what they are.
  const { body } = await w.post('/v2/memory/judgments/query', { judgeType: 'agent', limit: 100 });
  expect(body.result.results).toHaveLength(30);
  expect(body.result.results[0]).toMatchObject({
    decision: 'reject',
    actionUser: { userId: 'ana' },
    agent: { agentName: 'Claude Code', isAssistant: true },
  });
});
