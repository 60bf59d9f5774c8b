import { isObject } from '../../lib/json.ts';
import type { PromptPart, TokenUsage } from './models.ts';

/** Beyond this a count is no count: no model reads or writes so much at once. */
const MOST = 100_000_000;

/** Roughly, for where a provider does not tell. */
const CHARS_A_TOKEN = 4;
const TOKENS_AN_IMAGE = 1_500;

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MOST;

/** Roughly how many tokens so many characters are. */
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_A_TOKEN);

export const promptSize = (parts: readonly PromptPart[]): number =>
  parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : TOKENS_AN_IMAGE * CHARS_A_TOKEN), 0);

/** What one request cost, by the provider's counts where they make sense, else by the lengths in characters. */
export function usageOf(
  counts: { input?: unknown; output?: unknown; thoughts?: unknown },
  lengths: { asked: number; answered: number },
): TokenUsage {
  const count = (value: unknown, chars: number) =>
    isCount(value) && (value > 0 || chars === 0) ? Math.round(value) : tokensOf(chars);
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
 * The same event of a provider with 0 for every token count that is none, since one wrong count would make the whole
 * event unreadable. Counts that a provider may not leave out are put in.
 */
export function mendCounts(event: unknown): unknown {
  if (!isObject(event)) return event;
  for (const holder of [event, event.message, event.response]) {
    if (!isObject(holder)) continue;
    for (const name of ['usage', 'usageMetadata']) {
      if (holder[name] !== undefined && holder[name] !== null) holder[name] = mended(holder[name]);
    }
  }
  if (event.type === 'message_start' && isObject(event.message)) {
    event.message.usage = { input_tokens: 0, ...(event.message.usage as object) };
  }
  if (event.type === 'message_delta') event.usage = { output_tokens: 0, ...(event.usage as object) };
  return event;
}

function mended(usage: unknown): unknown {
  if (Array.isArray(usage)) return usage.map(mended);
  if (!isObject(usage)) return undefined;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      if (/details/i.test(name)) return [name, mended(value)];
      return [name, /token/i.test(name) && !isCount(value) ? 0 : value];
    }),
  );
}
