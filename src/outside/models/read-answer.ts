import { asObject, type Fields } from '../../lib/json.ts';
import { isDeeper } from '../../lib/nesting.ts';
import type { ChatMessage, LanguageModel, ProviderOptions } from './language-model.ts';
import { UnreadableAnswer } from './provider-fetch.ts';
import { safeToolName } from './safe-tool-name.ts';

type Streamed = Awaited<ReturnType<LanguageModel['doStream']>>['stream'];
type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;
type AssistantPart = Extract<Extract<ChatMessage, { role: 'assistant' }>['content'], unknown[]>[number];

type Piece = Extract<AssistantPart, { type: 'text' | 'reasoning' }>;

export interface WantedCall {
  id: string;
  name: string;
  /** JSON as the model wrote it. */
  input: string;
}

/** An answer of a model, as far as it was received. */
export interface RawAnswer {
  text: string;
  calls: WantedCall[];
  /** The whole answer, as the provider expects it back in the next turn. */
  parts: AssistantPart[];
  finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
  counts: { input?: unknown; output?: unknown; thoughts?: unknown };
  /** Characters received, thoughts included. */
  chars: number;
  /** True once the provider has begun to answer, which it charges for even if the answer is unreadable. */
  begun: boolean;
  /** Limit of output tokens that was sent; undefined for none. */
  outputLimit?: number | undefined;
}

export const emptyAnswer = (): RawAnswer => ({
  text: '',
  calls: [],
  parts: [],
  finish: 'interrupted',
  counts: {},
  chars: 0,
  begun: false,
});

/** Reads a stream into `answer`, which keeps what was received if this throws an error of the stream. */
export async function readStream(stream: Streamed, answer: RawAnswer): Promise<void> {
  const pieces = new Map<string, Piece>();
  const piece = (type: 'text' | 'reasoning', id: string, delta: string, metadata?: ProviderOptions) => {
    const key = `${type} ${id}`;
    const part: Piece = pieces.get(key) ?? { type, text: '' };
    if (!pieces.has(key)) {
      pieces.set(key, part);
      answer.parts.push(part);
    }
    part.text += delta;
    part.providerOptions = merged(part.providerOptions, metadata);
    answer.chars += delta.length;
    if (type === 'text') answer.text += delta;
  };
  let failed: { error: unknown } | undefined;
  const inPieces = new Set<string>();
  for await (const event of stream) {
    if (event.type === 'text-start' || event.type === 'text-end') {
      piece('text', event.id, '', event.providerMetadata);
    } else if (event.type === 'text-delta') {
      piece('text', event.id, event.delta, event.providerMetadata);
    } else if (event.type === 'reasoning-start' || event.type === 'reasoning-end') {
      piece('reasoning', event.id, '', event.providerMetadata);
    } else if (event.type === 'reasoning-delta') {
      piece('reasoning', event.id, event.delta, event.providerMetadata);
    } else if (event.type === 'response-metadata') {
      answer.begun = true;
    } else if (event.type === 'tool-input-delta') {
      inPieces.add(event.id);
      answer.chars += event.delta.length;
    } else if (event.type === 'tool-call') {
      addCall(answer, event);
      if (inPieces.has(event.toolCallId)) answer.chars -= event.input.length;
    } else if (event.type === 'finish') {
      finish(answer, event);
    } else if (event.type === 'error') {
      failed ??= { error: event.error };
    }
  }
  if (failed !== undefined) throw failed.error;
}

export function readUnstreamed(generated: Generated, answer: RawAnswer): void {
  for (const part of generated.content) {
    if (part.type === 'text' || part.type === 'reasoning') {
      answer.parts.push({
        type: part.type,
        text: part.text,
        ...(part.providerMetadata && { providerOptions: part.providerMetadata }),
      });
      answer.chars += part.text.length;
      if (part.type === 'text') answer.text += part.text;
    } else if (part.type === 'tool-call') {
      addCall(answer, part);
    }
  }
  if (answer.parts.length === 0 && generated.finishReason.raw === undefined) {
    throw new UnreadableAnswer('The answer of the provider says nothing.');
  }
  finish(answer, generated);
}

function finish(answer: RawAnswer, { finishReason, usage }: Pick<Generated, 'finishReason' | 'usage'>): void {
  answer.finish = finishReason.unified;
  answer.counts = {
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    thoughts: usage.outputTokens.reasoning,
  };
}

function addCall(
  answer: RawAnswer,
  call: { toolCallId: string; toolName: string; input: string; providerMetadata?: ProviderOptions },
): void {
  answer.calls.push({ id: call.toolCallId, name: call.toolName, input: call.input });
  answer.parts.push({
    type: 'tool-call',
    toolCallId: call.toolCallId,
    toolName: safeToolName(call.toolName),
    input: parseInput(call.input),
    ...(call.providerMetadata && { providerOptions: call.providerMetadata }),
  });
  answer.chars += call.toolName.length + call.input.length;
}

/** Levels of JSON that can be sent back to a provider. */
const MAX_DEPTH = 100;

/** Parses the input of a call; invalid input becomes an empty object, since providers accept only objects. */
function parseInput(input: string): Fields {
  try {
    const value = asObject(JSON.parse(input));
    return isDeeper(value, MAX_DEPTH) ? {} : value;
  } catch {
    return {};
  }
}

function merged(one: ProviderOptions | undefined, other: ProviderOptions | undefined): ProviderOptions {
  const all = { ...one };
  for (const [provider, options] of Object.entries(other ?? {}))
    all[provider] = { ...all[provider], ...options };
  return all;
}
