import { plural } from '../../../lib/text/plural.ts';
import { oneLine } from '../../../report/plain-text.ts';

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
      // People name agents, and a name may hold escape codes.
      name: oneLine(runs[0]!.agentName),
      planned: sum('urlsPlanned'),
      processed: sum('urlsProcessed'),
      findings: sum('findings'),
      outcome: isRunning ? undefined : hasFailed ? 'failed' : 'ended',
    };
  });
}

/** For example `2 of 3 pages, 5 findings`. */
export function describeAgent({ planned, processed, findings, outcome }: AgentProgress): string {
  if (outcome === 'failed') return 'could not review';
  const pages =
    outcome === 'ended'
      ? plural(processed, 'page')
      : `${processed} of ${plural(Math.max(planned, processed), 'page')}`;
  return `${pages}, ${plural(findings, 'finding')}`;
}

/** Shows the progress of a review. */
export interface ProgressView {
  /** Names the work before the agents run. */
  begin(what: string): void;
  update(agents: readonly AgentProgress[]): void;
  /** Resolves when nothing more is written. */
  end(): Promise<void>;
}
