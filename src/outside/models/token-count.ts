import { isObject } from '../../lib/json.ts';
import type { PromptPart, TokenUsage } from './models.ts';

/** Larger counts are invalid: no model reads or writes so much at once. */
const MAX_COUNT = 100_000_000;

/** Estimate for providers that send no counts. */
const CHARS_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 1_500;

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_COUNT;

/** Estimates the tokens of a text by its length. */
export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

/** Characters of a prompt; an image counts as the characters that would take as many tokens. */
export const promptSize = (parts: readonly PromptPart[]): number =>
  parts.reduce(
    (sum, part) => sum + ('text' in part ? part.text.length : TOKENS_PER_IMAGE * CHARS_PER_TOKEN),
    0,
  );

/** Usage of one request: the provider's counts if they are plausible, and otherwise an estimate by length. */
export function usageOf(
  counts: { input?: unknown; output?: unknown; thoughts?: unknown },
  lengths: { asked: number; answered: number },
): TokenUsage {
  const count = (value: unknown, chars: number) =>
    isCount(value) && (value > 0 || chars === 0) ? Math.round(value) : estimateTokens(chars);
  const promptTokens = count(counts.input, lengths.asked);
  const completionTokens = count(counts.output, lengths.answered);
  const thoughtsTokens = isCount(counts.thoughts)
    ? Math.min(Math.round(counts.thoughts), completionTokens)
    : 0;
  return {
    promptTokens,
    completionTokens,
    thoughtsTokens,
    totalTokens: promptTokens + completionTokens,
    requestCount: 1,
  };
}

/**
 * Replaces invalid token counts in a provider's event by 0, and adds missing ones that are mandatory, since a single
 * wrong count would make the client reject the whole event.
 */
export function repairTokenCounts(event: unknown): unknown {
  if (!isObject(event)) return event;
  for (const holder of [event, event.message, event.response]) {
    if (!isObject(holder)) continue;
    for (const name of ['usage', 'usageMetadata']) {
      if (holder[name] !== undefined && holder[name] !== null) holder[name] = repaired(holder[name]);
    }
  }
  if (event.type === 'message_start' && isObject(event.message)) {
    event.message.usage = { input_tokens: 0, ...(event.message.usage as object) };
  }
  if (event.type === 'message_delta') event.usage = { output_tokens: 0, ...(event.usage as object) };
  return event;
}

function repaired(usage: unknown): unknown {
  if (Array.isArray(usage)) return usage.map(repaired);
  if (!isObject(usage)) return undefined;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      if (/details/i.test(name)) return [name, repaired(value)];
      return [name, /token/i.test(name) && !isCount(value) ? 0 : value];
    }),
  );
}
