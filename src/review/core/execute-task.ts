import type { z } from 'zod';
import type { ModelWish, TokenBudget, TokenUsage } from '../../outside/models/models.ts';
import type { DeviceType, Outside } from '../../outside/outside.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import type { MemoryEntry } from '../memory/memory-entry.ts';
import type { Gathered } from './gathered.ts';
import type { Reading } from './untrusted-text.ts';

/** What one page of a run asks of an execution strategy. */
export interface Task {
  url: string;
  deviceType: DeviceType;
  /** The agent's instructions as they are kept; `buildPrompt` fills in their variables. */
  instructions: string;
  /** `execution` of the agent's pinned version; secrets are in the clear. */
  execution: Record<string, unknown>;
  /** Who is to answer: what the run says, before the execute phase, before the gather phase. */
  wishes: readonly (ModelWish | undefined)[];
  /** Of the run, over the agent's own. */
  maxToolTurns?: number | undefined;
  /** What templates are filled from: each variable by its name, `variables`, `userContext`, `restApiData`, `memoryContext`. */
  values: Record<string, unknown>;
  gathered: Gathered[];
  /** What `memoryContext` is made of; findings may name it as their ground. */
  memory: readonly MemoryEntry[];
}

/** What a line of a run's log is about; whoever follows a run tells by it what to show. */
export type LogKind = 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  /** By default `note`. */
  kind?: LogKind;
  message: string;
  data?: Record<string, unknown>;
}

export interface TaskContext
  extends Pick<Outside, 'fetch' | 'browser' | 'models' | 'connectMcp' | 'browserAgent'> {
  /** Of the whole run. */
  budget: TokenBudget;
  /** Every text of the page, or of a tool, that a model is given passes here. */
  reading: Reading;
  /** Keeps a file with the execution; the answered id is what a finding's `artifactId` takes. */
  keepArtifact(file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<string>;
  /** Made on first use, shared by all pages of the run; where the run's process dies, made anew. */
  once<T>(key: string, make: () => T): T;
  log(line: LogLine): void;
  signal: AbortSignal;
  /** How long the work may take; whoever keeps to it need not lose what it has found by then. */
  timeoutMs?: number;
}

export interface TaskResult {
  findings: DraftFinding[];
  /** What a response adapter shapes: the service's own account of the page. */
  data?: unknown;
  summary?: string;
  /** Why the page could not be looked at, as a sentence; without findings, it counts neither as clean nor as failed. */
  skipped?: string;
  /** Findings of a service that a model holds to be false alarms, and why. */
  dismissed?: { finding: DraftFinding; reason: string }[];
  usage?: TokenUsage;
  llmModel?: string;
}

export interface ExecutionStrategy {
  name: string;
  /** Validates `execution.strategyOptions[name]`. */
  options?: z.ZodType;
  execute(task: Task, context: TaskContext): Promise<TaskResult>;
}
