import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { type AnswerShape, shapeInWords } from './answer-shape.ts';
import { judgeFailure, type Trouble } from './judge-failure.ts';
import {
  addressOf,
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
  /** Throws where a question of so many characters may not be asked any more. */
  assertBudget(promptChars: number): void;
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

/** How an address wants to be asked. */
interface Manner {
  path: OpenAiPath;
  /** It takes no schema by the provider's own means, so that the model is told of it. */
  inWords: boolean;
  /** It does not stream. */
  whole: boolean;
  noTemperature: boolean;
}

/** Asks one provider, with retries; several runs at once share what is learnt of its address. */
export function createRequester(access: ProviderAccess, agent: () => Agent, backoffMs: number) {
  /** By model, what differs from the first guess and was found to work. */
  const known = new Map<string, Manner>();
  const firstGuess = (compatible: boolean): Manner => ({
    path: compatible ? 'chat' : 'responses',
    inWords: false,
    whole: false,
    noTemperature: false,
  });

  /** Throws `NoAnswer`, or what the signal was aborted with. */
  return async function request(turn: Turn, terms: Terms): Promise<{ answer: RawAnswer; usage: TokenUsage }> {
    let usage = NO_USAGE;
    const { model, provider } = turn.choice;
    const compatible = !isOwnAddress(provider, access);
    const manner = { ...(known.get(model) ?? firstGuess(compatible)) };
    let learnt = false;
    for (let tried = 1; ; ) {
      terms.signal.throwIfAborted();
      terms.assertBudget(turn.promptChars);
      const answer = emptyAnswer();
      try {
        await once(turn, answer, manner, compatible, terms.signal);
        // A stream that ends in good order, but not the answer in it.
        if (answer.finish === 'interrupted') throw new Error('The answer broke off.');
        const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
        terms.spent(cost);
        // The provider itself refuses some schemas, not all of them.
        if (learnt) known.set(model, { ...manner, inWords: manner.inWords && compatible });
        return { answer, usage: addUsage(usage, cost) };
      } catch (error) {
        terms.signal.throwIfAborted();
        if (answer.begun || answer.chars > 0) {
          const cost = usageOf(answer.counts, { asked: turn.promptChars, answered: answer.chars });
          terms.spent(cost);
          usage = addUsage(usage, cost);
        }
        const trouble = judgeFailure(error, {
          address: addressOf(provider, access.baseUrl),
          secrets: [access.apiKey ?? ''],
          prompt: turn.promptText(),
        });
        if (learn(trouble, turn, manner, compatible)) {
          learnt = true;
          continue;
        }
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

  async function once(
    turn: Turn,
    answer: RawAnswer,
    manner: Manner,
    compatible: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const options = callOptions(turn, manner, compatible, signal);
    const model = (fetch: typeof globalThis.fetch) => languageModel(turn.choice, access, manner.path, fetch);
    const send = createProviderFetch(agent());
    try {
      if (manner.whole) readWhole(await (await model(send)).doGenerate(options), answer);
      else await readStream((await (await model(send)).doStream(options)).stream, answer);
    } catch (error) {
      if (!(error instanceof WholeAnswer)) throw error;
      readWhole(await (await model(replay(error.text))).doGenerate(options), answer);
    }
  }
}

const SCHEMA_TROUBLE =
  /response_?format|response.?mime.?type|response_?(json_?)?schema|json_?schema|output_config|structured.?output|text\.format|guided|grammar/i;

/** Whether the trouble shows how this address wants to be asked instead; if so, `manner` is changed. */
function learn(trouble: Trouble, turn: Turn, manner: Manner, compatible: boolean): boolean {
  const { status, said } = trouble;
  if (status === 400 || status === 422) {
    if (turn.shape && !manner.inWords && SCHEMA_TROUBLE.test(said)) {
      manner.inWords = true;
      return true;
    }
    if (turn.temperature !== undefined && !manner.noTemperature && /temperature/i.test(said)) {
      manner.noTemperature = true;
      return true;
    }
    if (compatible && !manner.whole && /stream/i.test(said)) {
      manner.whole = true;
      return true;
    }
  }
  // A model that is not known is answered with the same status as an interface that is not there.
  if ((status !== 404 && status !== 405) || !compatible || /model/i.test(said)) return false;
  if (turn.choice.provider === 'openai' && manner.path === 'chat') {
    manner.path = 'responses';
    return true;
  }
  if (turn.choice.provider === 'gemini' && !manner.whole) {
    manner.whole = true;
    return true;
  }
  return false;
}

function callOptions(turn: Turn, manner: Manner, compatible: boolean, signal: AbortSignal): CallOptions {
  const { choice, shape, tools, mayCall, temperature, maxOutputTokens } = turn;
  // Many a compatible server holds the model to the schema from its first word, so that it can call nothing.
  const isBound = compatible && choice.provider === 'openai' && manner.path === 'chat' && mayCall;
  const inWords = manner.inWords || isBound;
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
    ...(temperature !== undefined && !manner.noTemperature && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(choice.provider === 'openai' && {
      providerOptions: {
        openai: {
          strictJsonSchema: shape?.strict ?? true,
          // What is asked is not kept at the provider; by chat it is not unless one says so.
          ...(manner.path === 'responses' && { store: false }),
        },
      },
    }),
    abortSignal: signal,
  };
}
