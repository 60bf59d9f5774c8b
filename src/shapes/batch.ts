import { z } from 'zod';
import { named } from './named.ts';

/** The result for one item of a batch, keyed by the id that the caller sent. */
export const itemResult = named(
  'ItemResult',
  z.object({
    success: z.boolean().describe('True if the item was processed.'),
    id: z.string().optional(),
    message: z.string().describe('Result for the item, as a sentence.'),
    code: z.string().optional().describe('Machine-readable error code: `already-exists`, `not-found`.'),
  }),
);
export type ItemResult = z.infer<typeof itemResult>;

export const batchResult = named('BatchResult', z.record(z.string(), itemResult));
export type BatchResult = z.infer<typeof batchResult>;

/** Maximum number of items in one request. */
export const MAX_BATCH = 1_000;
