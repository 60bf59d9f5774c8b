import { expect, test } from 'vitest';
import { failedAgents, problemsOf, problemsOfPage } from './describe-finding.ts';
import type { Report } from './report.ts';

const REFUSED = 'Nothing listens there.';
const agent = (agentId: string, error?: string) =>
  ({
    agentId,
    name: agentId.toUpperCase(),
    ...(error !== undefined && { error }),
  }) as Report['agents'][number];
const reportOn = (agents: Report['agents'], problems: Report['pages'][number]['problems']): Report =>
  ({
    agents,
    pages: [{ url: 'https://a.example/', status: 'failed', problems }],
    notes: [],
  }) as unknown as Report;

test('a page that no agent could open says so once', () => {
  const report = reportOn(
    [agent('a', REFUSED), agent('b', REFUSED)],
    [
      { agentId: 'a', message: REFUSED },
      { agentId: 'b', message: REFUSED },
    ],
  );
  expect(problemsOf(report)).toEqual([{ kind: 'failed', subject: 'https://a.example/', message: REFUSED }]);
});

test('agents are named where others have no such problem, or another one', () => {
  const report = reportOn(
    [agent('a'), agent('b'), agent('c', 'It has no model.'), agent('d')],
    [
      { agentId: 'a', message: REFUSED },
      { agentId: 'b', message: REFUSED },
      { agentId: 'c', message: 'It took too long.' },
    ],
  );
  expect(problemsOfPage(report.pages[0]!, report)).toEqual([
    { agents: ['A', 'B'], message: REFUSED },
    { agents: ['C'], message: 'It took too long.' },
  ]);
  expect(failedAgents(report).map(({ agentId }) => agentId)).toEqual(['c']);
});
