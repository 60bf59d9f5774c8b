import type { ReviewRecord } from '@redpen/client';

export interface AgentProgress {
  agentId: string;
  name: string;
  state: 'waiting' | 'running' | 'done' | 'partly' | 'skipped' | 'failed';
  urlsPlanned: number;
  urlsProcessed: number;
  findings: number;
  error?: string;
}

/** The agents of a review, each over all addresses at which it started. */
export function agentsOf({ agents, executions }: ReviewRecord): AgentProgress[] {
  return agents.map(({ agentId, name }) => {
    const runs = executions.filter((run) => run.agentId === agentId);
    const sum = (of: (run: (typeof runs)[number]) => number) =>
      runs.reduce((total, run) => total + of(run), 0);
    const [error] = runs.flatMap((run) => run.error?.message ?? []);
    const urlsPlanned = sum(({ progress }) => progress.urlsPlanned);
    return {
      agentId,
      name,
      state: stateOf(runs, urlsPlanned),
      urlsPlanned,
      urlsProcessed: sum(({ progress }) => progress.urlsProcessed),
      findings: sum(({ progress }) => progress.findings),
      ...(error !== undefined && { error }),
    };
  });
}

function stateOf(runs: ReviewRecord['executions'], urlsPlanned: number): AgentProgress['state'] {
  const is = (...all: string[]) => runs.filter(({ status }) => all.includes(status)).length;
  if (is('running') > 0) return urlsPlanned === 0 ? 'waiting' : 'running';
  if (is('error') === runs.length) return 'failed';
  if (is('error', 'partial') > 0) return 'partly';
  return is('skipped') === runs.length ? 'skipped' : 'done';
}
