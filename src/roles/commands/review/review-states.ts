/** The progress of a review. */
export interface ReviewState {
  status: 'running' | 'ended';
  /** Changes whenever anything else does. */
  revision: string;
  executions: ExecutionState[];
}

export interface ExecutionState {
  agentId: string;
  agentName: string;
  /** `running` or how it has ended. */
  status: string;
  progress?: { urlsPlanned: number; urlsProcessed: number; findings: number } | undefined;
  error?: { message: string } | null | undefined;
}

/** The progress of an agent, with all pages at which it begins. */
export interface AgentProgress {
  agentId: string;
  name: string;
  planned: number;
  processed: number;
  findings: number;
  /** Undefined while it runs. */
  outcome: 'ended' | 'failed' | undefined;
}

export function agentsOf({ executions }: ReviewState): AgentProgress[] {
  const byAgent = Map.groupBy(executions, ({ agentId }) => agentId);
  return [...byAgent].map(([agentId, runs]) => {
    const sum = (field: 'urlsPlanned' | 'urlsProcessed' | 'findings') =>
      runs.reduce((total, { progress }) => total + (progress?.[field] ?? 0), 0);
    const isRunning = runs.some(({ status }) => status === 'running');
    const hasFailed = runs.some(({ status }) => status === 'error');
    return {
      agentId,
      name: runs[0]!.agentName,
      planned: sum('urlsPlanned'),
      processed: sum('urlsProcessed'),
      findings: sum('findings'),
      outcome: isRunning ? undefined : hasFailed ? 'failed' : 'ended',
    };
  });
}
