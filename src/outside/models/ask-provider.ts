import { cutText } from '../../lib/text/cut-text.ts';
import { type AnswerShape, answerShape } from './answer-shape.ts';
import { assertNames, callTools } from './call-tools.ts';
import type { CallOptions, ChatMessage } from './language-model.ts';
import {
  addUsage,
  type ModelAnswer,
  ModelFailure,
  type ModelFailureKind,
  type ModelNote,
  type ModelRequest,
  NO_USAGE,
  type TokenUsage,
} from './models.ts';
import { publicWords } from './provider-words.ts';
import type { RawAnswer } from './read-answer.ts';
import { type ModelTurn, NoAnswer, type OutputLimit, type Terms } from './request-answer.ts';
import { safeToolName } from './safe-tool-name.ts';
import { estimateTokens, promptSize } from './token-count.ts';

export type RequestAnswer = (
  turn: ModelTurn,
  terms: Terms,
) => Promise<{ answer: RawAnswer; usage: TokenUsage }>;

export interface AskLimits {
  /** Default for requests without a limit; undefined leaves it to the server. */
  output: OutputLimit | undefined;
}

/** A remaining budget below this is sent as the limit of the answer; a larger one may exceed what a model takes. */
const SMALL_BUDGET = 32_000;

const TIMEOUT_MS = 120_000;
const TOOL_TURNS = 8;
const MAX_TOOL_TURNS = 16;
/** Minimum of output tokens, however small the remaining budget. */
const MIN_OUTPUT_TOKENS = 256;
/** Characters of an invalid answer that are sent back to the model. */
const MAX_SHOWN_CHARS = 20_000;

const FINISH = 'No more tool calls are possible. Give your final answer now, from what you know.';

/**
 * Asks a model until it gives a valid answer, within limits of tool turns, time and tokens. Throws only `ModelFailure`.
 *
 * The AI SDK's clients speak the providers' formats, and the loop around them is ours for what it guarantees: tool turns
 * end with a forced answer, an invalid answer is repaired once, retries follow the provider's delay within a retry budget
 * of attempts, time and tokens, and the tokens of answers that broke off are counted.
 */
export async function askProvider<T>(
  request: ModelRequest<T>,
  requestAnswer: RequestAnswer,
  limits: AskLimits,
): Promise<ModelAnswer<T>> {
  const time = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS);
  const question = new Question(request, requestAnswer, limits, time);
  try {
    return await question.answer();
  } catch (error) {
    throw asFailure(error, request.signal, time, question.usage);
  }
}

function asFailure(
  error: unknown,
  signal: AbortSignal | undefined,
  time: AbortSignal,
  usage: TokenUsage,
): ModelFailure {
  const fail = (kind: ModelFailureKind, message: string) =>
    new ModelFailure(kind, message, { usage, cause: internalError });
  // Errors of the providers' clients contain the whole request, with its headers and the prompt.
  const isInternal = error instanceof Error && !(error instanceof NoAnswer) && error.cause === undefined;
  const internalError = isInternal && !error.name.startsWith('AI_') ? error : undefined;
  if (signal?.aborted) return fail('aborted', 'The question was called off.');
  if (time.aborted) return fail('timeout', 'The model did not answer in time.');
  if (error instanceof NoAnswer) return fail(error.failure.kind, `${error.failure.reason}.`);
  if (error instanceof ModelFailure) return fail(error.kind, error.message);
  return fail('rejected', 'The question could not be put to the model.');
}

class Question<T> {
  usage: TokenUsage = NO_USAGE;
  readonly #request: ModelRequest<T>;
  readonly #requestAnswer: RequestAnswer;
  readonly #limits: AskLimits;
  readonly #terms: Terms;
  readonly #shape: AnswerShape | undefined;
  readonly #instructions: string;
  readonly #messages: ChatMessage[];
  #chars: number;
  #turn = 0;

  constructor(request: ModelRequest<T>, requestAnswer: RequestAnswer, limits: AskLimits, time: AbortSignal) {
    this.#request = request;
    this.#requestAnswer = requestAnswer;
    this.#limits = limits;
    this.#shape = request.schema && answerShape(request.schema);
    const wantsJson = this.#shape === undefined && request.responseMimeType === 'application/json';
    this.#instructions = `${request.instructions}${wantsJson ? '\n\nAnswer with JSON and nothing else.' : ''}`;
    this.#messages = [{ role: 'user', content: request.parts.map(messagePart) }];
    this.#chars =
      request.instructions.length +
      promptSize(request.parts) +
      JSON.stringify(this.#shape?.schema ?? '').length;
    this.#terms = {
      signal: AbortSignal.any([time, ...(request.signal ? [request.signal] : [])]),
      deadline: performance.now() + (request.timeoutMs ?? TIMEOUT_MS),
      note: (note) => this.#note(note),
      spent: (usage) => {
        this.usage = addUsage(this.usage, usage);
        request.budget?.spend(usage);
      },
      assertBudget: (promptChars) => {
        if (
          request.budget !== undefined &&
          request.budget.left() < Math.max(1, estimateTokens(promptChars))
        ) {
          throw new ModelFailure('over-budget', 'The tokens that may be spent are used up.');
        }
      },
    };
  }

  async answer(): Promise<ModelAnswer<T>> {
    const { tools = [], maxToolTurns = TOOL_TURNS, choice } = this.#request;
    assertNames(tools);
    const turns =
      tools.length === 0 ? 0 : Math.min(Math.max(1, Math.trunc(maxToolTurns) || 1), MAX_TOOL_TURNS);
    let answer = await this.#ask(turns > 0);
    for (let turn = 1; turns > 0 && wantsTools(answer); turn++) {
      this.#add({ role: 'assistant', content: answer.parts }, answer.chars);
      const results = await callTools(answer.calls, tools, this.#terms.signal, this.#terms.note);
      this.#add(results.message, results.chars);
      if (turn === turns) {
        this.#say(FINISH);
        answer = await this.#ask(false);
        break;
      }
      answer = await this.#ask(true);
    }
    return {
      data: (await this.#read(answer)) as T,
      usage: this.usage,
      llmModel: `${choice.provider}/${choice.model}`,
    };
  }

  /** Parses the answer; for an invalid one, the model gets one chance to correct it. */
  async #read(first: RawAnswer): Promise<unknown> {
    const found = this.#validate(first);
    if ('data' in found) return found.data;
    const { wrong, advice = '' } = found;
    this.#note({ kind: 'repair', reason: `The answer could not be used: ${wrong}.` });
    const shown = cutText(first.text, MAX_SHOWN_CHARS);
    if (shown.trim() !== '') {
      this.#add({ role: 'assistant', content: [{ type: 'text', text: shown }] }, shown.length);
    }
    this.#say(
      `Your answer could not be used: ${wrong}. Give the whole answer once more, without that fault.${advice}`,
    );
    const second = this.#validate(await this.#ask(false));
    if ('data' in second) return second.data;
    throw new ModelFailure('malformed', `The answer of the model could not be used: ${second.wrong}.`);
  }

  /** Validates an answer. `wrong` is also shown to the caller, `advice` only to the model. */
  #validate(answer: RawAnswer): { data: unknown } | { wrong: string; advice?: string } {
    if (answer.finish === 'content-filter') {
      const words = publicWords(answer.text, { secrets: [], prompt: this.#promptText() });
      // A filter may also stop an answer of JSON, which says nothing about the refusal.
      const said = words === '' || /^[[{]/.test(words) ? '' : `: “${words}”`;
      throw new ModelFailure('refused', `The model refused to answer${said}.`);
    }
    if (answer.finish === 'length') {
      const limit = answer.outputLimit;
      const by =
        limit === undefined ? 'by a limit of the provider' : `at the limit of ${limit} output tokens`;
      return { wrong: `it is too long and was cut off ${by}`, advice: ' Be much shorter.' };
    }
    if (answer.calls.length > 0) return { wrong: 'it calls a tool where none can be called' };
    if (this.#shape !== undefined) return this.#shape.read(answer.text);
    return answer.text.trim() === '' ? { wrong: 'it is empty' } : { data: answer.text };
  }

  async #ask(mayCall: boolean): Promise<RawAnswer> {
    const { choice, temperature, tools = [] } = this.#request;
    const began = performance.now();
    const { answer, usage } = await this.#requestAnswer(
      {
        choice,
        instructions: this.#instructions,
        messages: this.#messages,
        shape: this.#shape,
        tools: tools.length === 0 ? undefined : tools.map((tool) => declared(tool, choice.provider)),
        mayCall,
        temperature,
        outputLimit: this.#outputLimit(),
        promptChars: this.#chars,
        promptText: () => this.#promptText(),
      },
      this.#terms,
    );
    this.#turn++;
    this.#note({ kind: 'request', turn: this.#turn, ms: Math.round(performance.now() - began), usage });
    return answer;
  }

  #outputLimit(): OutputLimit | undefined {
    const { maxOutputTokens, budget } = this.#request;
    const wanted =
      maxOutputTokens === undefined ? this.#limits.output : { tokens: maxOutputTokens, isSet: false };
    const left = Math.max(MIN_OUTPUT_TOKENS, Math.floor(budget?.left() ?? Number.POSITIVE_INFINITY));
    if (wanted !== undefined && wanted.tokens <= left) return wanted;
    return wanted !== undefined || left < SMALL_BUDGET ? { tokens: left, isSet: false } : undefined;
  }

  #promptText(): string {
    const { instructions, parts } = this.#request;
    return [instructions, ...parts.map((part) => ('text' in part ? part.text : ''))].join('\n');
  }

  #add(message: ChatMessage, chars: number): void {
    this.#messages.push(message);
    this.#chars += chars;
  }

  #say(text: string): void {
    this.#add({ role: 'user', content: [{ type: 'text', text }] }, text.length);
  }

  #note(note: ModelNote): void {
    this.#request.note?.(note);
  }
}

/** Tool calls of an answer that ended early may be incomplete, and are ignored. */
const wantsTools = ({ calls, finish }: RawAnswer): boolean =>
  calls.length > 0 && finish !== 'length' && finish !== 'content-filter';

const messagePart = (part: ModelRequest<unknown>['parts'][number]) =>
  'text' in part
    ? { type: 'text' as const, text: part.text }
    : {
        type: 'file' as const,
        data: { type: 'data' as const, data: part.image },
        mediaType: part.mimeType,
      };

type Tool = NonNullable<ModelRequest<unknown>['tools']>[number];

const declared = (
  { name, description, inputSchema }: Tool,
  provider: string,
): NonNullable<CallOptions['tools']>[number] => ({
  type: 'function',
  name: safeToolName(name),
  description,
  inputSchema: inputSchema as object,
  // By default, OpenAI treats schemas as strict, which allows no optional properties.
  ...(provider === 'openai' && { strict: false }),
});
