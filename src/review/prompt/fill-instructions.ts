import { cutText } from '../../lib/text/cut-text.ts';
import { fillTemplate } from '../../lib/text/template.ts';
import type { Material } from './material.ts';

/** Of each value that a caller sends along. */
const MAX_VALUE = 20_000;
const MAX_INSTRUCTIONS = 200_000;

/** The blocks that stand for what comes from outside; instructions refer to them, and never hold their words. */
export const REST_API_BLOCK = 'rest-api';
export const MEMORY_BLOCK = 'memory';
const reference = (block: string) => `(see the data block ${block})`;

/**
 * The agent's instructions with what the caller sent put in as it is. Where they ask for data of others, there
 * is a reference to the block that holds it.
 */
export function fillInstructions({ instructions, values }: Material): { text: string; missing: string[] } {
  const filled = fillTemplate(instructions, {
    ...capped(values),
    restApiData: reference(REST_API_BLOCK),
    memoryContext: textOf(values.memoryContext) === '' ? '' : reference(MEMORY_BLOCK),
  });
  return { text: cutText(filled.text, MAX_INSTRUCTIONS).trim(), missing: filled.missing };
}

/** Each value of a record, and of the records in it, no longer than the cap. */
const capped = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      key === 'variables' || key === 'userContext'
        ? capped((value ?? {}) as Record<string, unknown>)
        : cappedValue(value),
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
