import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { ModelWish, TokenBudget, TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { DraftFinding, Grounding } from '../../shapes/agents/execution.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { Gathered } from './gathered.ts';
import type { TextScreener } from './text-screener.ts';

/** A rule, passage, pattern or judgment of the memory, as a prompt quotes it. */
export interface MemoryEntry {
  /** Names the entry in the prompt, such as `R3`. */
  mark: string;
  kind: Grounding['kind'];
  /** Id of the rule, chunk, pattern or judgment. */
  id: string;
  sourceId?: string | undefined;
  /** Origin in words, such as a file and its heading. */
  section: string;
  text: string;
}

/** Input of an execution strategy: one page of a run with its gathered data. */
export interface PageTask {
  url: string;
  deviceType: DeviceType;
  /** The agent's instructions with their templates unfilled; `buildPrompt` fills them. */
  instructions: string;
  /** `execution` of the agent's pinned version; secrets are in the clear. */
  execution: NonNullable<AgentBehavior['execution']>;
  /** Preferred models, the strongest preference first: of the request, then of the agent. */
  wishes: readonly (ModelWish | undefined)[];
  /** Limit of the request; takes precedence over the agent's. */
  maxToolTurns?: number | undefined;
  /** Values of templates; see `templateValues`. */
  values: Fields;
  gathered: Gathered[];
  /** Entries behind `values.memoryContext`; findings may cite them. */
  memory: readonly MemoryEntry[];
}

/** Subject of a log line; clients that follow a run choose by it what to show. */
export type LogKind = 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  /** Default: `note`. */
  kind?: LogKind;
  message: string;
  data?: Fields;
}

/** Words that are right on the site of a run. */
export interface SavedWords {
  /** Evidence of the crawl about the words of the site, see `readSiteWords`. */
  site: string;
  /** Words of the settings of the API key. */
  own: readonly string[];
}

/** True if a request for one address ends at the login page of the site. */
export type LeadsToLogin = (asked: string, final: string, status: number | undefined) => boolean;

/** Dependencies that the runs of a review share: its site is crawled once, and requested and loaded at one pace. */
export interface SiteContext extends Pick<Outside, 'fetch' | 'browser'> {
  /** Memoizes by key for the length of the review. */
  once<T>(key: string, make: () => T): T;
  /** Logs a line with each of the runs. */
  log(line: LogLine): void;
  /** Aborted when no run is left. */
  signal: AbortSignal;
  /** True if the runs read nothing of a page but its links. */
  readsLinksAlone: boolean;
  /** The words of the pages that were fetched so far, if a run needs them. */
  words?: { stored(): string } | undefined;
  /** Everything that leaves the process, signed in to the site if the runs have credentials. */
  outside: Outside;
  leadsToLogin?: LeadsToLogin | undefined;
  /** Signs in, once for all runs, and checks that a start page is open. Absent without credentials. Throws `RunFault`. */
  signIn?: ((seedUrl: string) => Promise<void>) | undefined;
}

/** Dependencies that all pages of a run share. */
export interface RunContext
  extends Pick<Outside, 'fetch' | 'browser' | 'models' | 'connectMcp' | 'browserAgent'> {
  /** Tokens that the whole run may still spend. */
  budget: TokenBudget;
  /** Memoizes by key for the length of the run; a process that resumes the run starts with an empty memo. */
  once<T>(key: string, make: () => T): T;
  savedWords(): Promise<SavedWords>;
  /** Present in a run that is signed in. */
  leadsToLogin?: LeadsToLogin | undefined;
  /** Present in a run: what it shares with the other runs of its review. */
  site?: SiteContext | undefined;
  log(line: LogLine): void;
  signal: AbortSignal;
  /** Time limit of the work. Work that ends before it expires keeps its partial results. */
  timeoutMs?: number;
}

/** Dependencies of the review of one page: those of the run, and the page's own. */
export interface PageContext extends RunContext {
  /** All text of the page or of a tool passes through here before a model reads it. */
  screener: TextScreener;
  /** Stores a file with the execution and returns its id, for `artifactId` of a finding. */
  storeArtifact(file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<string>;
}

export interface TaskResult {
  findings: DraftFinding[];
  /** The service's own report on the page, input of the response adapter. */
  data?: unknown;
  summary?: string;
  /** Facts of the page for the rules across pages; stored until the end of a run of several pages. */
  siteFacts?: unknown;
  /** Addresses that could not be judged this time: what earlier runs found about them is not gone. */
  unjudged?: ReadonlySet<string>;
  /** Reason, as a sentence, why the page could not be reviewed. Without findings the page counts as skipped. */
  skipped?: string;
  /** Findings of a service that a model considers false positives, with its reasons. */
  dismissed?: { finding: DraftFinding; reason: string }[];
  usage?: TokenUsage;
  llmModel?: string;
}

export interface ExecutionStrategy {
  name: string;
  /** Validates `execution.strategyOptions[name]`. */
  options?: z.ZodType;
  execute(task: PageTask, context: PageContext): Promise<TaskResult>;
}
