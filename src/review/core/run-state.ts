import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { ModelWish, RunRequest, ScreenshotChoice } from '../../shapes/agents/run.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';

/** A run in progress: its execution row and the behavior of its agent. */
export interface Run {
  scope: Scope;
  row: ExecutionRow;
  request: RunRequest;
  agentType: 'built-in' | 'custom';
  behavior: AgentBehavior;
  /** Id of the previous run that pages are compared with. */
  comparedWith?: string | undefined;
}

export const DEFAULT_PHASE_TIMEOUT_MS = 180_000;

export const phaseTimeoutOf = ({ behavior }: Run): number =>
  behavior.phaseTimeoutMs ?? DEFAULT_PHASE_TIMEOUT_MS;

/** Preferred models, the strongest preference first. */
export const preferredModelsOf = ({ request, behavior }: Run): (ModelWish | undefined)[] => [
  request.aiConfig,
  behavior.execution?.aiConfig,
  behavior.contextGathering?.aiConfig,
];

/** The pages that get a screenshot: as the request says, or the agent; by default pages with findings. */
export const screenshotsOf = ({ request, behavior }: Run): ScreenshotChoice =>
  request.screenshots ?? behavior.postProcess?.screenshots ?? 'findings';

/** Stages are on by default. */
export const isEnabled = (stage: { enabled?: boolean | undefined } | undefined): boolean =>
  stage?.enabled !== false;

/** Drops `modelOptional` from custom agents: only built-in agents run without a model if none is configured. */
export function effectiveBehavior(stored: Fields, isBuiltin: boolean): AgentBehavior {
  const behavior = stored as AgentBehavior;
  if (isBuiltin || behavior.execution === undefined) return behavior;
  const { modelOptional, ...execution } = behavior.execution;
  return { ...behavior, execution };
}

/** The behavior of a run's agent, with the options of the run in place of the agent's. */
export function withRunOptions(
  behavior: AgentBehavior,
  { strategyOptions }: Pick<RunRequest, 'strategyOptions'>,
): AgentBehavior {
  if (!strategyOptions) return behavior;
  const own = (behavior.execution?.strategyOptions ?? {}) as Record<string, Fields>;
  const merged = Object.entries(strategyOptions).map(([name, options]) => [
    name,
    { ...own[name], ...options },
  ]);
  return {
    ...behavior,
    execution: { ...behavior.execution, strategyOptions: { ...own, ...Object.fromEntries(merged) } },
  };
}

/** True if the agent compares the pages of a run with one another. */
export const isCrossPage = ({ scope }: AgentBehavior): boolean => scope?.crossPage?.enabled === true;

/** True if a run discovers further pages of the site by their links. */
export const followsLinks = ({ request, behavior }: Pick<Run, 'request' | 'behavior'>): boolean =>
  request.crossPageExecute || (isCrossPage(behavior) && behavior.scope?.crossPage?.pageDiscovery === 'auto');
