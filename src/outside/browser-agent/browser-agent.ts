import type { z } from 'zod';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LoadedPage } from '../browser/browser.ts';
import type { ModelAnswer, ModelRequest, PromptPart } from '../models/models.ts';
import type { SignIn } from '../net/sign-in.ts';

export interface BrowserTask<T> {
  url: string;
  deviceType: DeviceType;
  /** The question that the agent must answer. */
  instructions: string;
  /** Further prompt parts, as they go to the model. */
  parts?: readonly PromptPart[] | undefined;
  /** Precedes all other instructions. */
  systemPrompt?: string | undefined;
  mode: 'dom' | 'hybrid' | 'cua';
  maxSteps: number;
  waitUntil: 'domcontentloaded' | 'load' | 'networkidle2';
  navigationTimeoutMs: number;
  /** Schema of the result; without it, the result is text. */
  schema?: z.ZodType<T> | undefined;
  /** Sends every model request; apart from loading pages, it is the only way out. */
  ask<A>(
    request: Pick<ModelRequest<A>, 'instructions' | 'parts' | 'schema' | 'tools' | 'maxToolTurns'>,
  ): Promise<ModelAnswer<A>>;
  /** Filters all text of pages before the model gets it. */
  read?: ((text: string, where: string) => string) | undefined;
  /** Called after each step. */
  note?: ((step: AgentStep) => void) | undefined;
  /** Credentials that the page's own requests to these origins get. */
  signIn?: SignIn | undefined;
  /** Called once the first page is loaded; throws if it must not be shown to the model. */
  check?: ((loaded: LoadedPage) => Promise<void>) | undefined;
  signal: AbortSignal;
  /** Starts when a slot is free. */
  timeoutMs: number;
}

export interface AgentStep {
  step: number;
  /** Description such as `click Prices` or `goto https://…`. */
  action: string;
  /** URL of the page on which the action was taken. */
  url: string;
  ms: number;
  error?: string;
}

export interface BrowserTaskResult<T> {
  data: T;
  steps: number;
  /** Every URL that the page has shown. */
  visited: string[];
}

/** Lets a model navigate a site, in a browser behind the egress proxy. Throws `PageFailure` or `ModelFailure`. */
export interface BrowserAgent {
  run<T = string>(task: BrowserTask<T>): Promise<BrowserTaskResult<T>>;
  close(): Promise<void>;
}
