import type { z } from 'zod';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { ModelAnswer, ModelRequest, PromptPart } from '../models/models.ts';

export interface BrowserTask<T> {
  url: string;
  deviceType: DeviceType;
  /** What it is to find out. */
  instructions: string;
  /** What else it is given to judge, as it goes to the model. */
  parts?: readonly PromptPart[] | undefined;
  /** Before everything else it is told. */
  systemPrompt?: string | undefined;
  mode: 'dom' | 'hybrid' | 'cua';
  maxSteps: number;
  waitUntil: 'domcontentloaded' | 'load' | 'networkidle2';
  navigationTimeoutMs: number;
  /** What it must come back with; without it the answer is its closing words. */
  schema?: z.ZodType<T> | undefined;
  /** Answers every question to a model: the one way for anything to leave but the pages themselves. */
  ask<A>(
    request: Pick<ModelRequest<A>, 'instructions' | 'parts' | 'schema' | 'tools' | 'maxToolTurns'>,
  ): Promise<ModelAnswer<A>>;
  /** Given all text of pages before a model gets it; what it answers is what the model gets. */
  read?: ((text: string, where: string) => string) | undefined;
  /** Told of each step. */
  note?: ((step: AgentStep) => void) | undefined;
  signal: AbortSignal;
  /** From when its turn has come. */
  timeoutMs: number;
}

export interface AgentStep {
  step: number;
  /** In words: `click Prices`, `goto https://…`. */
  action: string;
  /** Where it was taken. */
  url: string;
  ms: number;
  error?: string;
}

export interface BrowserTaskResult<T> {
  data: T;
  steps: number;
  /** Every address that was shown in the browser. */
  visited: string[];
}

/** Lets a model find its own way through a site, in a browser behind the egress proxy. Throws `PageFailure` or `ModelFailure`. */
export interface BrowserAgent {
  run<T = string>(task: BrowserTask<T>): Promise<BrowserTaskResult<T>>;
  close(): Promise<void>;
}
