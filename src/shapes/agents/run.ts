import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { DraftFinding, HeldBack, Severity } from './execution.ts';
import type { comparison, PageScreenshot, resultsSummary, verdict } from './execution-record.ts';
import type { StoredPageAuth } from './page-auth.ts';
import type { RunOptions } from './service-options.ts';

/** The viewport in which a run loads its pages. */
export type DeviceType = 'desktop' | 'mobile';

/** Values of `screenshots`, of an agent and of a run: the pages that get a screenshot. */
export const screenshotChoices = ['none', 'findings', 'all'] as const;
export type ScreenshotChoice = (typeof screenshotChoices)[number];

export const modelProviders = ['claude', 'openai', 'gemini'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** A requested model. Omitted fields are decided by the next wish or by the installation. */
export interface ModelWish {
  provider?: ModelProvider | undefined;
  model?: string | undefined;
  /** Default model of each provider. */
  defaultModels?: Partial<Record<ModelProvider, string>> | undefined;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  /** Completion tokens that the model used for thinking. */
  thoughtsTokens: number;
  totalTokens: number;
  /** Number of requests that the provider answered. */
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
  screenshots?: ScreenshotChoice | undefined;
  /** Globs of the pages that are reviewed; all by default. */
  pages?: string[] | undefined;
  /** True to review the pages of the site's sitemap too. */
  sitemap?: boolean | undefined;
  /** Severities by issue type in place of those of the rules; `off` drops the findings. */
  severities?: Record<string, Severity | 'off'> | undefined;
  /** Options of the agent's service, each in place of that of the agent. */
  strategyOptions?: RunOptions | undefined;
  aiConfig?: (ModelWish & { maxToolTurns?: number | undefined }) | undefined;
  /** Credentials for the reviewed pages, in place of those of the agent. */
  auth?: StoredPageAuth | undefined;
  workflowExecutionId?: string | undefined;
  previousExecutionId?: string | undefined;
}

/** The error of a failed run or page. */
export interface RunErrorRecord {
  code: string;
  message: string;
  retryable: boolean;
}

export type ResultsSummary = z.infer<typeof resultsSummary>;
export type Verdict = z.infer<typeof verdict>;
export type Comparison = z.infer<typeof comparison>;

/** Findings of the page's previous run that are gone. */
export interface FixedFindings {
  count: number;
  /** Up to 50 of them. */
  findings: Comparison['fixedFindings'];
  /** Their number by the id of their cause. */
  causes?: Record<string, number>;
}

/** The outcome of a run. It grows while the run goes on; rows of earlier versions may lack any field. */
export interface RunOutcome {
  resultsSummary?: ResultsSummary;
  verdict?: Verdict;
  error?: RunErrorRecord & { occurredAt: number };
  tokenUsage?: TokenUsage;
  llmModel?: string;
  comparison?: Comparison;
  /** Id of the previous run, with whose pages those of this run are compared. */
  comparedWith?: string;
  crawlerResults?: Fields;
  /** Output of the agent's response adapter; `formatted` is a summary by a model. */
  response?: Fields;
  formatted?: string;
  /** Number of annotations for causes, which belong to no single page. */
  siteWideAnnotations?: number;
  /** True once the pages have been compared with each other. */
  pagesCompared?: boolean;
  /** Model usage for the run as a whole, in addition to its pages. */
  asked?: { usage?: TokenUsage; llmModel?: string | undefined };
}

/** The outcome of a page beside its findings; rows of earlier versions may lack any field. */
export interface PageDetail {
  summary?: string | undefined;
  /** Data of the service about the page. */
  data?: unknown;
  error?: RunErrorRecord;
  /** Findings of the service that the model considers false positives. */
  dismissed?: { finding: DraftFinding; reason: string }[];
  heldBack?: HeldBack[];
  fixed?: FixedFindings;
  /** Causes of site-wide suggestions whose address could not be judged on this page. */
  unjudgedCauses?: string[];
  screenshot?: PageScreenshot;
  /** Text that the cross-page comparison uses. */
  textToCompare?: string;
  /** True if the page was read in a browser; undefined for agents that need one for each page. */
  rendered?: boolean;
  /** The login page to which the address leads, and which was reviewed in its place. */
  loginPage?: string;
  /** Facts of the page for the rules across pages. */
  siteFacts?: unknown;
  /** True once these rules have added their findings to the page. */
  siteReviewed?: boolean;
  usage?: TokenUsage;
  llmModel?: string;
}
