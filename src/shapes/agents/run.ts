import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { DraftFinding, HeldBack } from './execution.ts';
import type { comparison, resultsSummary } from './execution-record.ts';

/** The viewport that a run looks at its pages with. */
export type DeviceType = 'desktop' | 'mobile';

export const modelProviders = ['claude', 'openai', 'gemini'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** A model as a caller or an agent asks for it; what is left out, the next wish or the installation decides. */
export interface ModelWish {
  provider?: ModelProvider | undefined;
  model?: string | undefined;
  /** The model of each provider where none is named. */
  defaultModels?: Partial<Record<ModelProvider, string>> | undefined;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  /** The part of the completion that the model thought with. */
  thoughtsTokens: number;
  totalTokens: number;
  /** Requests that a provider answered. */
  requestCount: number;
}

/** The caller's request for a run, as it is stored. */
export interface RunRequest {
  crossPageExecute: boolean;
  maxUrlsToProcess: number;
  deviceType: DeviceType;
  annotationVisibility: 'public' | 'private';
  variables: Fields;
  userContext: Fields;
  aiConfig?: (ModelWish & { maxToolTurns?: number | undefined }) | undefined;
  workflowExecutionId?: string | undefined;
  previousExecutionId?: string | undefined;
}

/** Why a run or one of its pages came to nothing. */
export interface RunErrorRecord {
  code: string;
  message: string;
  retryable: boolean;
}

export type ResultsSummary = z.infer<typeof resultsSummary>;
export type Comparison = z.infer<typeof comparison>;

/** Findings of a page's last run that are gone. */
export interface FixedFindings {
  count: number;
  /** Up to 50 of them. */
  findings: Comparison['fixedFindings'];
}

/** The outcome of a run. It grows while the run goes on; rows of earlier versions may lack any field. */
export interface RunOutcome {
  resultsSummary?: ResultsSummary;
  error?: RunErrorRecord & { occurredAt: number };
  tokenUsage?: TokenUsage;
  llmModel?: string;
  comparison?: Comparison;
  /** The run whose pages this one's are compared with. */
  comparedWith?: string;
  crawlerResults?: Fields;
  /** Made by the agent's response adapter, with `formatted` where a model put the results into words. */
  response?: Fields;
  formatted?: string;
  /** Set once the pages were compared with each other. */
  pagesCompared?: boolean;
  /** The cost of questions about the run as a whole. */
  asked?: { usage?: TokenUsage; llmModel?: string | undefined };
}

/** The outcome of a page beside its findings; rows of earlier versions may lack any field. */
export interface PageDetail {
  summary?: string | undefined;
  /** The service's own account of the page. */
  data?: unknown;
  error?: RunErrorRecord;
  /** Findings of the service that the model holds to be false alarms. */
  dismissed?: { finding: DraftFinding; reason: string }[];
  heldBack?: HeldBack[];
  fixed?: FixedFindings;
  /** Kept for the comparison of all pages of the run. */
  textToCompare?: string;
  usage?: TokenUsage;
  llmModel?: string;
}
