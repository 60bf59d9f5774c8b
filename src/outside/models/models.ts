import type { z } from 'zod';
import type { ModelProvider, ModelWish, TokenUsage } from '../../shapes/agents/run.ts';

export {
  type ModelProvider,
  type ModelWish,
  modelProviders,
  type TokenUsage,
} from '../../shapes/agents/run.ts';

/** A piece of a prompt: words, or a picture. */
export type PromptPart = { text: string } | { image: Uint8Array; mimeType: string };

/** A model that can be asked. */
export interface ModelChoice {
  provider: ModelProvider;
  /** As the provider names it. */
  model: string;
}

/** What may still be spent; shared by everything that belongs together, such as the pages of a run. */
export interface TokenBudget {
  /** Tokens; at 0 or below nothing more is asked. */
  left(): number;
  spend(usage: TokenUsage): void;
}

/** Something that the model may call. */
export interface ModelTool {
  /** As the model sees it: `[a-zA-Z0-9_-]{1,64}`. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** An error of the tool is an answer like any other; only the abort of the signal throws. */
  call(input: unknown, signal: AbortSignal): Promise<{ text: string; isError: boolean }>;
}

/** What happens while a model is asked, for the log of a run. */
export type ModelNote =
  | { kind: 'request'; turn: number; ms: number; usage: TokenUsage }
  | { kind: 'retry'; reason: string; status?: number | undefined; waitMs: number }
  | { kind: 'tool'; name: string; input: unknown; ms: number; isError: boolean; chars: number }
  | { kind: 'repair'; reason: string };

export interface ModelRequest<T> {
  choice: ModelChoice;
  /** The system's part of the prompt; nothing from a page belongs here. */
  instructions: string;
  /** The user's part. */
  parts: readonly PromptPart[];
  /** What the answer must be; without it the answer is the text. */
  schema?: z.ZodType<T> | undefined;
  tools?: readonly ModelTool[] | undefined;
  /** Rounds of tool calls; then the model must finish without tools. Default 8. */
  maxToolTurns?: number | undefined;
  responseMimeType?: string | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  budget?: TokenBudget | undefined;
  signal?: AbortSignal | undefined;
  /** For the whole question, with its retries and tools. Default 120 000. */
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

/** No answer; the message is for the caller and holds neither key nor prompt. */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  /** What was spent all the same. */
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

  /** Whether the same question may be answered another time. */
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
  /** Which providers have a key or an address. */
  readonly configured: Readonly<Record<ModelProvider, boolean>>;
  /** The model that is meant by wishes, the first one that says something winning. Throws `ModelFailure` (`not-configured`). */
  choose(...wishes: (ModelWish | undefined)[]): ModelChoice;
  /** Throws nothing but a `ModelFailure`. */
  ask<T = string>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
  close(): Promise<void>;
}
