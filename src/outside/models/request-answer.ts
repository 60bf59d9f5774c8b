import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { type AnswerShape, schemaInstructions } from './answer-shape.ts';
import { classifyFailure, type RequestFailure } from './classify-failure.ts';
import {
  addressOf,
  type CallOptions,
  isOwnAddress,
  languageModel,
  type OpenAiPath,
  type ProviderAccess,
} from './language-model.ts';
import { addUsage, type ModelChoice, type ModelNote, NO_USAGE, type TokenUsage } from './models.ts';
import { createStreamingFetch, replayResponse, UnstreamedAnswer } from './provider-fetch.ts';
import { emptyAnswer, type RawAnswer, readStream, readUnstreamed } from './read-answer.ts';
import { usageOf } from './token-count.ts';

/** Limit of the answer. */
export interface OutputLimit {
  tokens: number;
  /** True if the operator set it: then it is sent as it is, even if the provider refuses it. */
  isSet: boolean;
}

/** Content of one turn. */
export interface ModelTurn {
  choice: ModelChoice;
  instructions: string;
  messages: CallOptions['prompt'];
  shape: AnswerShape | undefined;
  tools: CallOptions['tools'];
  /** True if tools may be called in this turn. */
  mayCall: boolean;
  temperature: number | undefined;
  outputLimit: OutputLimit | undefined;
  /** Characters of the prompt, to estimate tokens that the provider does not count. */
  promptChars: number;
  promptText: () => string;
}

export interface Terms {
  signal: AbortSignal;
  /** Deadline on the clock of `performance.now()`. */
  deadline: number;
  note(note: ModelNote): void;
  /** Called for each request that cost tokens. */
  spent(usage: TokenUsage): void;
  /** Throws if the token budget does not cover a prompt of this length. */
  assertBudget(promptChars: number): void;
}

/** All attempts failed. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

const TRIES = 3;

/** Dialect of a server: the parts of the API that it supports. */
interface Dialect {
  path: OpenAiPath;
  /** The server does not support schemas, so the schema is part of the instructions. */
  schemaInPrompt: boolean;
  /** The server does not stream. */
  unstreamed: boolean;
  noTemperature: boolean;
  /** Most output tokens that the server accepts; 0 if it accepts no limit. */
  mostOutput: number | undefined;
}

/** Sends requests to one provider, with retries and exponential back-off; the server's dialect is learned once. */
export function createRequester(access: ProviderAccess, agent: () => Agent, backoffMs: number) {
  /** Learned dialects by model. */
  const known = new Map<string, Dialect>();
  const firstGuess = (compatible: boolean): Dialect => ({
    path: compatible ? 'chat' : 'responses',
    schemaInPrompt: false,
    unstreamed: false,
    noTemperature: false,
    mostOutput: undefined,
  });

  /** Throws `NoAnswer`, or the signal's reason. */
  return async function request(
    turn: ModelTurn,
    terms: Terms,
  ): Promise<{ answer: RawAnswer; usage: TokenUsage }> {
    let usage = NO_USAGE;
    const { model, provider } = turn.choice;
    const compatible = !isOwnAddress(provider, access);
    const dialect = { ...(known.get(model) ?? firstGuess(compatible)) };
    let learned = false;
    for (let tried = 1; ; ) {
      terms.signal.throwIfAborted();
      terms.assertBudget(turn.promptChars);
      const answer = emptyAnswer();
      try {
        await once(turn, answer, dialect, compatible, terms.signal);
        // The stream is complete, but the answer in it is not.
        if (answer.finish === 'interrupted') throw new Error('The answer broke off.');
        const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
        terms.spent(cost);
        // A provider's own API refuses single schemas, so this says nothing about others.
        if (learned) known.set(model, { ...dialect, schemaInPrompt: dialect.schemaInPrompt && compatible });
        return { answer, usage: addUsage(usage, cost) };
      } catch (error) {
        terms.signal.throwIfAborted();
        if (answer.begun || answer.chars > 0) {
          const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
          terms.spent(cost);
          usage = addUsage(usage, cost);
        }
        const failure = withLimit(
          classifyFailure(error, {
            address: addressOf(provider, access.baseUrl),
            secrets: [access.apiKey ?? ''],
            prompt: turn.promptText(),
          }),
          answer.outputLimit,
        );
        if (adaptDialect(failure, turn, dialect, compatible)) {
          learned = true;
          continue;
        }
        const waitMs = failure.waitMs ?? backoffMs * 2 ** (tried - 1) * (0.5 + Math.random());
        if (!failure.isTemporary || tried === TRIES || performance.now() + waitMs >= terms.deadline) {
          throw new NoAnswer(failure);
        }
        tried++;
        terms.note({
          kind: 'retry',
          reason: `${failure.reason}.`,
          status: failure.status,
          waitMs: Math.round(waitMs),
        });
        await sleep(waitMs, undefined, { signal: terms.signal });
      }
    }
  };

  async function once(
    turn: ModelTurn,
    answer: RawAnswer,
    dialect: Dialect,
    compatible: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const options = callOptions(turn, dialect, compatible, signal);
    answer.outputLimit = options.maxOutputTokens;
    const model = (fetch: typeof globalThis.fetch) => languageModel(turn.choice, access, dialect.path, fetch);
    const send = createStreamingFetch(agent());
    try {
      if (dialect.unstreamed) readUnstreamed(await (await model(send)).doGenerate(options), answer);
      else await readStream((await (await model(send)).doStream(options)).stream, answer);
    } catch (error) {
      if (!(error instanceof UnstreamedAnswer)) throw error;
      readUnstreamed(await (await model(replayResponse(error.text))).doGenerate(options), answer);
    }
  }
}

const SCHEMA_REFUSED =
  /response_?format|response.?mime.?type|response_?(json_?)?schema|json_?schema|output_config|structured.?output|text\.format|guided|grammar/i;

const LIMIT_REFUSED =
  /max_?(completion_?|output_?|new_?)?tokens|(number|limit) of output tokens|output token limit|tokens? in the completion|in the completion\)/i;

const isOfLimit = ({ status, rawMessage }: RequestFailure, limit: number | undefined): limit is number =>
  limit !== undefined && (status === 400 || status === 422) && LIMIT_REFUSED.test(rawMessage);

/** A failure that says so if the provider refused the limit of output tokens. */
const withLimit = (failure: RequestFailure, limit: number | undefined): RequestFailure =>
  isOfLimit(failure, limit)
    ? {
        ...failure,
        reason: `${failure.reason}. The limit of ${limit} output tokens was sent (REDPEN_MODEL_OUTPUT_TOKENS)`,
      }
    : failure;

/** The largest number in a refusal that is below the refused limit, such as "max_tokens: 32000 > 8192". */
function acceptedLimit(message: string, refused: number): number | undefined {
  const numbers = Array.from(message.matchAll(/\b\d{3,7}\b/g), ([digits]) => Number(digits));
  const below = numbers.filter((one) => one < refused && one >= 256);
  return below.length === 0 ? undefined : Math.max(...below);
}

/** Adapts the dialect to an error that reveals a missing feature; false if the error reveals none. */
function adaptDialect(
  failure: RequestFailure,
  turn: ModelTurn,
  dialect: Dialect,
  compatible: boolean,
): boolean {
  const { status, rawMessage } = failure;
  if (status === 400 || status === 422) {
    const sent = turn.outputLimit && limitOf(turn.outputLimit, dialect);
    if (isOfLimit(failure, sent) && turn.outputLimit?.isSet === false && dialect.mostOutput === undefined) {
      // Anthropic's API demands a limit; the others answer without one.
      const most = turn.choice.provider === 'claude' ? acceptedLimit(rawMessage, sent) : 0;
      if (most !== undefined) {
        dialect.mostOutput = most;
        return true;
      }
    }
    if (turn.shape && !dialect.schemaInPrompt && SCHEMA_REFUSED.test(rawMessage)) {
      dialect.schemaInPrompt = true;
      return true;
    }
    if (turn.temperature !== undefined && !dialect.noTemperature && /temperature/i.test(rawMessage)) {
      dialect.noTemperature = true;
      return true;
    }
    if (compatible && !dialect.unstreamed && /stream/i.test(rawMessage)) {
      dialect.unstreamed = true;
      return true;
    }
  }
  // An unknown model has the same status as an unknown endpoint.
  if ((status !== 404 && status !== 405) || !compatible || /model/i.test(rawMessage)) return false;
  if (turn.choice.provider === 'openai' && dialect.path === 'chat') {
    dialect.path = 'responses';
    return true;
  }
  if (turn.choice.provider === 'gemini' && !dialect.unstreamed) {
    dialect.unstreamed = true;
    return true;
  }
  return false;
}

/** The limit that is sent; undefined for none. */
function limitOf({ tokens, isSet }: OutputLimit, { mostOutput }: Dialect): number | undefined {
  if (isSet || mostOutput === undefined) return tokens;
  return mostOutput === 0 ? undefined : Math.min(tokens, mostOutput);
}

function callOptions(
  turn: ModelTurn,
  dialect: Dialect,
  compatible: boolean,
  signal: AbortSignal,
): CallOptions {
  const { choice, shape, tools, mayCall, temperature, outputLimit } = turn;
  const maxOutputTokens = outputLimit && limitOf(outputLimit, dialect);
  // Many compatible servers enforce the schema from the first token, so that the model could not call a tool.
  const isBound = compatible && choice.provider === 'openai' && dialect.path === 'chat' && mayCall;
  const schemaInPrompt = dialect.schemaInPrompt || isBound;
  const instructions =
    shape && schemaInPrompt ? `${turn.instructions}\n\n${schemaInstructions(shape)}` : turn.instructions;
  return {
    prompt: [
      ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions }]),
      ...turn.messages,
    ],
    ...(shape &&
      !schemaInPrompt && {
        responseFormat: { type: 'json' as const, schema: shape.schema as object, name: 'answer' },
      }),
    ...(tools && { tools, toolChoice: { type: mayCall ? ('auto' as const) : ('none' as const) } }),
    ...(temperature !== undefined && !dialect.noTemperature && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(choice.provider === 'openai' && {
      providerOptions: {
        openai: {
          strictJsonSchema: shape?.strict ?? true,
          // The prompt must not be stored at the provider; the chat API does not store by default.
          ...(dialect.path === 'responses' && { store: false }),
        },
      },
    }),
    abortSignal: signal,
  };
}
