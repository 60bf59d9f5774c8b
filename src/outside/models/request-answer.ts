import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { type AnswerShape, shapeInWords } from './answer-shape.ts';
import { judgeFailure, type Trouble } from './judge-failure.ts';
import {
  type CallOptions,
  isOwnAddress,
  languageModel,
  type OpenAiPath,
  type ProviderAccess,
} from './language-model.ts';
import { addUsage, type ModelChoice, type ModelNote, NO_USAGE, type TokenUsage } from './models.ts';
import { createProviderFetch, replay, WholeAnswer } from './provider-fetch.ts';
import { emptyAnswer, type RawAnswer, readStream, readWhole } from './read-answer.ts';
import { usageOf } from './token-count.ts';

/** What is sent to the model in one turn. */
export interface Turn {
  choice: ModelChoice;
  instructions: string;
  messages: CallOptions['prompt'];
  shape: AnswerShape | undefined;
  tools: CallOptions['tools'];
  /** Whether the tools may be called in this turn. */
  mayCall: boolean;
  temperature: number | undefined;
  maxOutputTokens: number | undefined;
  /** Characters of all that is sent, for counts that do not come, and for what may not be repeated in a message. */
  promptChars: number;
  promptText: () => string;
}

export interface Terms {
  signal: AbortSignal;
  /** On the clock of `performance`. */
  deadline: number;
  note(note: ModelNote): void;
  /** Told of each request that cost something. */
  spent(usage: TokenUsage): void;
  /** Throws where nothing more may be asked. */
  assertBudget(): void;
}

/** No answer came, for all that was tried. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.reason);
    this.trouble = trouble;
  }
}

const TRIES = 3;

/** What is learnt while one turn is tried. */
interface Passing {
  inWords: boolean;
  path?: OpenAiPath;
}

export interface ProviderMemory {
  /** Which of OpenAI's interfaces this address is known to have. */
  path?: OpenAiPath;
  /** Models that do not take a schema by the provider's own means. */
  inWords: Set<string>;
  /** The address does not stream. */
  whole: boolean;
}

/** Asks one provider, with retries; several runs at once share what is learnt of its address. */
export function createRequester(access: ProviderAccess, agent: () => Agent, backoffMs: number) {
  const memory: ProviderMemory = { inWords: new Set(), whole: false };

  /** Throws `NoAnswer`, or what the signal was aborted with. */
  return async function request(turn: Turn, terms: Terms): Promise<{ answer: RawAnswer; usage: TokenUsage }> {
    let usage = NO_USAGE;
    const passing: Passing = { inWords: false };
    for (let tried = 1; ; ) {
      terms.signal.throwIfAborted();
      terms.assertBudget();
      const answer = emptyAnswer();
      try {
        await once(turn, answer, passing, terms.signal);
        // A stream that ends in good order, but not the answer in it.
        if (answer.finish === 'interrupted') throw new Error('The answer broke off.');
        const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
        terms.spent(cost);
        return { answer, usage: addUsage(usage, cost) };
      } catch (error) {
        terms.signal.throwIfAborted();
        if (answer.chars > 0) {
          const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
          terms.spent(cost);
          usage = addUsage(usage, cost);
        }
        const trouble = judgeFailure(error, [access.apiKey ?? ''], turn.promptText());
        if (learn(trouble, turn, passing)) continue;
        const waitMs = trouble.waitMs ?? backoffMs * 2 ** (tried - 1) * (0.5 + Math.random());
        if (!trouble.again || tried === TRIES || performance.now() + waitMs >= terms.deadline) {
          throw new NoAnswer(trouble);
        }
        tried++;
        terms.note({
          kind: 'retry',
          reason: `${trouble.reason}.`,
          status: trouble.status,
          waitMs: Math.round(waitMs),
        });
        await sleep(waitMs, undefined, { signal: terms.signal });
      }
    }
  };

  /** Whether the trouble shows how this address wants to be asked instead. */
  function learn(trouble: Trouble, { choice, shape }: Turn, passing: Passing): boolean {
    const compatible = !isOwnAddress(choice.provider, access);
    const about = trouble.said;
    if (trouble.status === 400 && shape && !passing.inWords && SCHEMA_TROUBLE.test(about)) {
      passing.inWords = true;
      if (compatible) memory.inWords.add(choice.model);
      return true;
    }
    if ((trouble.status === 404 || trouble.status === 405) && compatible && !MODEL_TROUBLE.test(about)) {
      if (choice.provider === 'openai' && memory.path === undefined && passing.path === undefined) {
        passing.path = 'responses';
        return true;
      }
      if (choice.provider === 'gemini' && !memory.whole) {
        memory.whole = true;
        return true;
      }
    }
    return false;
  }

  async function once(turn: Turn, answer: RawAnswer, passing: Passing, signal: AbortSignal): Promise<void> {
    const { choice } = turn;
    const compatible = !isOwnAddress(choice.provider, access);
    const path = passing.path ?? memory.path ?? (compatible ? 'chat' : 'responses');
    const words =
      passing.inWords || memory.inWords.has(choice.model) || (compatible && path === 'chat' && turn.mayCall);
    const options = callOptions(turn, words, signal);
    const model = (fetch: typeof globalThis.fetch) => languageModel(choice, access, path, fetch);
    const send = createProviderFetch(agent());
    try {
      if (memory.whole) readWhole(await (await model(send)).doGenerate(options), answer);
      else await readStream((await (await model(send)).doStream(options)).stream, answer);
    } catch (error) {
      if (!(error instanceof WholeAnswer)) throw error;
      readWhole(await (await model(replay(error.text))).doGenerate(options), answer);
    }
    if (choice.provider === 'openai') memory.path = path;
  }
}

const SCHEMA_TROUBLE =
  /response_?format|response_?(json_?)?schema|json_?schema|output_config|structured.?output|text\.format|guided|grammar/i;
const MODEL_TROUBLE = /model/i;

function callOptions(turn: Turn, inWords: boolean, signal: AbortSignal): CallOptions {
  const { choice, shape, tools, mayCall, temperature, maxOutputTokens } = turn;
  const instructions =
    shape && inWords ? `${turn.instructions}\n\n${shapeInWords(shape)}` : turn.instructions;
  return {
    prompt: [
      ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions }]),
      ...turn.messages,
    ],
    ...(shape &&
      !inWords && {
        responseFormat: { type: 'json' as const, schema: shape.schema as object, name: 'answer' },
      }),
    ...(tools && { tools, toolChoice: { type: mayCall ? ('auto' as const) : ('none' as const) } }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(choice.provider === 'openai' && {
      // What is asked is not kept at the provider.
      providerOptions: { openai: { store: false, strictJsonSchema: shape?.strict ?? true } },
    }),
    abortSignal: signal,
  };
}
