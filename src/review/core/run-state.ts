import type { Db } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { ModelWish, RunRequest } from '../../shapes/agents/run.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import type { RunLog } from './run-log.ts';

/** One run on its way, as its phases see it. */
export interface Run {
  scope: Scope;
  row: ExecutionRow;
  request: RunRequest;
  agentType: 'built-in' | 'custom';
  behavior: AgentBehavior;
  /** The last run whose pages this one's are compared with. */
  comparedWith?: string | undefined;
}

export const DEFAULT_PHASE_TIMEOUT_MS = 180_000;

export const phaseTimeoutOf = ({ behavior }: Run): number =>
  behavior.phaseTimeoutMs ?? DEFAULT_PHASE_TIMEOUT_MS;

/** Who is to answer, the wish that counts most first. */
export const wishesOf = ({ request, behavior }: Run): (ModelWish | undefined)[] => [
  request.aiConfig,
  behavior.execution?.aiConfig,
  behavior.contextGathering?.aiConfig,
];

/** A stage is on unless it was switched off by name. */
export const isOn = (stage: { enabled?: boolean | undefined } | undefined): boolean =>
  stage?.enabled !== false;

/** A run that this process holds the lease of. */
export interface Held {
  db: Db;
  scorer: Scorer;
  ref: Scope & { executionId: string };
  /** Names the holder. */
  owner: string;
  log: RunLog;
}

/** What an agent does. Who asks for a model means it; the agents that come along do without where there is none. */
export function behaviorOf(stored: Fields, isBuiltin: boolean): AgentBehavior {
  const behavior = stored as AgentBehavior;
  if (isBuiltin || behavior.execution === undefined) return behavior;
  const { modelOptional, ...execution } = behavior.execution;
  return { ...behavior, execution };
}
