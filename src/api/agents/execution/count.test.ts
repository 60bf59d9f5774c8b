import { expect, test } from 'vitest';
import { amend, COUNT, newAgent, start } from '../../../../test/reviews/executions.ts';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('count returns the executions of each agent, or of all', async () => {
  const w = await newWorkspace();
  const [a, b] = [await newAgent(w), await newAgent(w)];
  const [first] = [await start(w, { agentId: a }), await start(w, { agentId: a })];
  await start(w, { agentId: 'broken-links' });
  await amend(w, first, { status: 'failed', completedAt: Date.now() });

  const { status, body } = await w.post(COUNT, { agentIds: [a, b, 'broken-links', 'none', a] });
  expect([status, body.result]).toEqual([
    200,
    {
      status: 'success',
      message: 'Agent execution count fetched successfully',
      shape: 'counts',
      data: { counts: { [a]: 2, [b]: 0, 'broken-links': 1, none: 0 } },
    },
  ]);
  expect(await w.must(COUNT, { agentIds: a })).toEqual({ counts: { [a]: 2 } });
  expect(await w.must(COUNT)).toEqual({ total: 3 });
  expect(await w.must(COUNT, { status: 'failed' })).toEqual({ total: 1 });
  expect(await w.must(COUNT, { status: 'partial' })).toEqual({ total: 0 });
  expect(await w.must(COUNT, { agentIds: [a, b], status: 'running' })).toEqual({
    counts: { [a]: 1, [b]: 0 },
  });
});

test('up to two hundred agents can be counted, even if they are named like object methods', async () => {
  const w = await newWorkspace();
  const agentIds = ['toString', ...Array.from({ length: 199 }, (_, index) => `a${index}`)];
  const { counts } = await w.must(COUNT, { agentIds });
  expect(Object.keys(counts)).toHaveLength(200);
  expect(counts.toString).toBe(0);
});
