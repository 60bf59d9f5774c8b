import type { z } from 'zod';
import type { DeviceType } from '../device-type.ts';
import type { ModelAnswer, ModelRequest } from '../models/models.ts';

export interface BrowserTask<T> {
  url: string;
  deviceType: DeviceType;
  /** What it is to find out. */
  instructions: string;
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
  /** Told of each step. */
  note?:
    | ((step: { step: number; action: string; url: string; ms: number; error?: string }) => void)
    | undefined;
  signal: AbortSignal;
  timeoutMs: number;
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
