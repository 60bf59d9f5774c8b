import type { Fields } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { fillTemplate } from '../../lib/text/template.ts';
import type { PromptInput } from './prompt-input.ts';

/** Characters of each value that a caller sends. */
const MAX_VALUE = 20_000;
const MAX_INSTRUCTIONS = 200_000;

/** Data blocks for content from outside. Instructions refer to them by name and never contain their text. */
export const REST_API_BLOCK = 'rest-api';
export const MEMORY_BLOCK = 'memory';
const reference = (block: string) => `(see the data block ${block})`;

/**
 * Fills the templates of the agent's instructions. Values of the caller are inserted as they are; content from outside
 * is replaced by a reference to its data block.
 */
export function fillInstructions({ instructions, values }: PromptInput): { text: string; missing: string[] } {
  const filled = fillTemplate(instructions, {
    ...capped(values),
    restApiData: reference(REST_API_BLOCK),
    memoryContext: textOf(values.memoryContext) === '' ? '' : reference(MEMORY_BLOCK),
  });
  return { text: cutText(filled.text, MAX_INSTRUCTIONS).trim(), missing: filled.missing };
}

/** Cuts each value of the record to `MAX_VALUE`; `variables` and `userContext` value by value. */
const capped = (values: Fields): Fields =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      key === 'variables' || key === 'userContext' ? capped((value ?? {}) as Fields) : cappedValue(value),
    ]),
  );

function cappedValue(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, MAX_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? cutText(text, MAX_VALUE) : value;
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
