import { expect, test } from 'vitest';
import { agentsOf, type ExecutionState, type ReviewState } from './review-states.ts';
import { plainView } from './show-progress.ts';

const run = (agentId: string, status: string, urlsProcessed: number, findings = 0): ExecutionState => ({
  agentId,
  agentName: agentId.toUpperCase(),
  status,
  progress: { urlsPlanned: 2, urlsProcessed, findings },
});

const stateOf = (...executions: ExecutionState[]): ReviewState => ({
  status: 'running',
  revision: '',
  executions,
});

test('without a terminal, there is one line for each change of the number of pages, and no escape code', async () => {
  let text = '';
  const view = plainView({ write: (chunk: string) => (text += chunk) });
  view.begin('Starting Redpen');
  const states = [
    stateOf(run('a', 'running', 0), run('b', 'running', 0)),
    stateOf(run('a', 'running', 1, 1), run('b', 'running', 0)),
    stateOf(run('a', 'running', 1, 1), run('b', 'running', 0)),
    stateOf(run('a', 'running', 2, 3), run('b', 'error', 0)),
    stateOf(run('a', 'failed', 2, 3), run('b', 'error', 0)),
  ];
  for (const state of states) view.update(agentsOf(state));
  await view.end();
  expect(text).toBe(
    'Starting Redpen\nA: 1 of 2 pages, 1 finding\nB: could not review\nA: 2 pages, 3 findings\n',
  );
});

test('an agent that begins at several pages has one line with their sums', () => {
  const state = stateOf(run('a', 'failed', 2, 1), run('a', 'running', 1, 4), run('b', 'passed', 2));
  expect(agentsOf(state)).toEqual([
    { agentId: 'a', name: 'A', planned: 4, processed: 3, findings: 5, outcome: undefined },
    { agentId: 'b', name: 'B', planned: 2, processed: 2, findings: 0, outcome: 'ended' },
  ]);
});
