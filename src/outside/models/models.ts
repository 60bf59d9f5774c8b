import type { z } from 'zod';
import type { ModelProvider, ModelWish, TokenUsage } from '../../shapes/agents/run.ts';

export {
  type ModelProvider,
  type ModelWish,
  modelProviders,
  type TokenUsage,
} from '../../shapes/agents/run.ts';

/** A part of a prompt: text or a picture. */
export type PromptPart = { text: string } | { image: Uint8Array; mimeType: string };

export interface ModelChoice {
  provider: ModelProvider;
  /** The provider's name of the model. */
  model: string;
}

/** Remaining tokens, shared by all requests that belong together, such as those of the pages of a run. */
export interface TokenBudget {
  /** Remaining tokens; at 0 or below, no more requests are sent. */
  left(): number;
  spend(usage: TokenUsage): void;
}

/** A tool that the model may call. */
export interface ModelTool {
  /** Name for the model: `[a-zA-Z0-9_-]{1,64}`. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** Returns errors of the tool as results; throws only on abort. */
  call(input: unknown, signal: AbortSignal): Promise<{ text: string; isError: boolean }>;
}

/** Events while a model is asked, for the log of a run. */
export type ModelNote =
  | { kind: 'request'; turn: number; ms: number; usage: TokenUsage }
  | { kind: 'retry'; reason: string; status?: number | undefined; waitMs: number }
  | { kind: 'tool'; name: string; input: unknown; ms: number; isError: boolean; chars: number }
  | { kind: 'repair'; reason: string };

export interface ModelRequest<T> {
  choice: ModelChoice;
  /** System prompt; it must contain nothing from a page. */
  instructions: string;
  /** User prompt. */
  parts: readonly PromptPart[];
  /** Schema of the answer; without it, the answer is text. */
  schema?: z.ZodType<T> | undefined;
  tools?: readonly ModelTool[] | undefined;
  /** Turns with tool calls, after which the model must answer without tools. Default 8. */
  maxToolTurns?: number | undefined;
  responseMimeType?: string | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  budget?: TokenBudget | undefined;
  signal?: AbortSignal | undefined;
  /** Timeout of the whole question, with retries and tools. Default 120 000. */
  timeoutMs?: number | undefined;
  note?: ((note: ModelNote) => void) | undefined;
}

export interface ModelAnswer<T> {
  data: T;
  usage: TokenUsage;
  /** `provider/model`. */
  llmModel: string;
}

export type ModelFailureKind =
  | 'not-configured' // no key and no address for the provider, or the model is not on the operator's list
  | 'rate-limited'
  | 'unavailable' // 5xx, no connection, a connection that broke off
  | 'rejected' // any other 4xx: key, model name or request are wrong
  | 'refused' // the model will not answer this
  | 'malformed'
  | 'over-budget'
  | 'timeout'
  | 'aborted';

/** The model gave no valid answer. The message is for the caller, and contains neither key nor prompt. */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  /** Tokens that were spent nevertheless. */
  readonly usage: TokenUsage;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options: { usage?: TokenUsage; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.usage = options.usage ?? NO_USAGE;
  }

  /** True if a later retry may succeed. */
  get retryable(): boolean {
    return ['rate-limited', 'unavailable', 'malformed', 'timeout'].includes(this.kind);
  }
}

export const NO_USAGE: TokenUsage = {
  promptTokens: 0,
  completionTokens: 0,
  thoughtsTokens: 0,
  totalTokens: 0,
  requestCount: 0,
};

export const addUsage = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  thoughtsTokens: one.thoughtsTokens + other.thoughtsTokens,
  totalTokens: one.totalTokens + other.totalTokens,
  requestCount: one.requestCount + other.requestCount,
});

/** The language models of this installation. */
export interface Models {
  /** True for providers with a key or an address. */
  readonly configured: Readonly<Record<ModelProvider, boolean>>;
  /** Chooses a model by wishes in order of precedence. Throws `ModelFailure` (`not-configured`). */
  choose(...wishes: (ModelWish | undefined)[]): ModelChoice;
  /** Throws only `ModelFailure`. */
  ask<T = string>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
  close(): Promise<void>;
}
