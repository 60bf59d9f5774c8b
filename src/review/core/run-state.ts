import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import type { ModelWish } from '../../outside/models/models.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import type { AnnotationStrategy } from '../findings/finding-to-annotation.ts';
import type { RunLog } from './run-log.ts';

interface Stage {
  enabled?: boolean;
}

/** The behavioral fields as a run reads them; `agent-shape.ts` has validated them before they were stored. */
export interface RunBehavior {
  instructions?: string;
  phaseTimeoutMs?: number;
  contextGathering?: {
    strategies?: string[];
    strategyOptions?: Record<string, unknown>;
    aiConfig?: ModelWish;
  };
  execution?: Record<string, unknown> & {
    executionStrategy?: string;
    serviceId?: string;
    aiConfig?: ModelWish & { maxToolTurns?: number; responseMimeType?: string };
  };
  response?: { responseAdapter?: string; useAiFormatting?: boolean; formattingPrompt?: string };
  postProcess?: {
    guardrails?: Stage;
    deletePreviousSuggestions?: Stage;
    pinResolution?: Stage;
    annotations?: Stage & { strategy?: AnnotationStrategy };
    analytics?: Stage;
    customProcessors?: string[];
  };
  input?: {
    variableKeys?: string[];
    userContextFields?: { id: string; type: string; required?: boolean; defaultValue?: unknown }[];
    inputRequirements?: { requires?: string[]; requiresOneOf?: string[] };
  };
  scope?: {
    pageScope?: string[];
    pageScopeExclude?: string[];
    contentTypes?: string[];
    /** What is to be the same on all pages. */
    crossPage?: {
      enabled: boolean;
      targetProperty: string;
      pageDiscovery: 'auto' | 'manual';
      pages?: string[];
      sourceOfTruthKnowledgeSourceId?: string;
    };
  };
}

/** One run on its way, as its phases see it. */
export interface Run {
  scope: Scope;
  row: ExecutionRow;
  request: RunRequest;
  agentType: 'built-in' | 'custom';
  behavior: RunBehavior;
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
export const isOn = (stage: Stage | undefined): boolean => stage?.enabled !== false;

const WITHOUT_BROWSER = new Set(['none', 'robots-txt', 'sitemap-data', 'rest-api']);

/** Whether the agent looks at its pages in a browser. */
export const usesBrowser = ({ contextGathering }: RunBehavior): boolean =>
  (contextGathering?.strategies ?? []).some((name) => !WITHOUT_BROWSER.has(name));

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
export function behaviorOf(stored: Record<string, unknown>, isBuiltin: boolean): RunBehavior {
  const behavior = stored as RunBehavior;
  if (isBuiltin || behavior.execution === undefined) return behavior;
  const { modelOptional, ...execution } = behavior.execution;
  return { ...behavior, execution };
}
