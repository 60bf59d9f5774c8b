import type { z } from 'zod';
import type { Browser, DeviceType, SafeFetch } from '../../outside/outside.ts';
import type { DraftFinding } from '../../shapes/execution.ts';
import type { Gathered } from '../gather/strategy.ts';

/** What one page of a run asks of an execution strategy. */
export interface Task {
  url: string;
  deviceType: DeviceType;
  /** The agent's instructions with their variables filled in. */
  instructions: string;
  /** `execution` of the agent's pinned version. */
  execution: Record<string, unknown>;
  gathered: Gathered[];
}

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  data?: Record<string, unknown>;
}

export interface TaskContext {
  fetch: SafeFetch;
  browser: Browser;
  /** Keeps a file with the execution; the answered id is what a finding's `artifactId` takes. */
  keepArtifact(file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<string>;
  /** Made on first use, shared by all pages of the run; where the run's process dies, made anew. */
  once<T>(key: string, make: () => T): T;
  log(line: LogLine): void;
  signal: AbortSignal;
  /** How long the work may take; whoever keeps to it need not lose what it has found by then. */
  timeoutMs?: number;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
}

export interface TaskResult {
  findings: DraftFinding[];
  /** What a response adapter shapes: the service's own account of the page. */
  data?: unknown;
  summary?: string;
  usage?: TokenUsage;
  llmModel?: string;
}

export interface ExecutionStrategy {
  name: string;
  /** Validates `execution.strategyOptions[name]`. */
  options?: z.ZodType;
  execute(task: Task, context: TaskContext): Promise<TaskResult>;
}

/** A reviewer that needs no model; chosen by `execution.serviceId`. */
export interface Service {
  id: string;
  run(task: Task, context: TaskContext): Promise<TaskResult>;
}
