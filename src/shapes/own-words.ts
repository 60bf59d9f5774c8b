import { z } from 'zod';

/** Names and terms that are in no dictionary and are spelled right. */
export const ownWords = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(60)
      .regex(/^\p{L}[\p{L}\p{M}'’]*$/u, { error: 'must be one word of letters' }),
  )
  .max(2_000)
  .describe('Words that spell-check takes for right, in any case of letters.');
