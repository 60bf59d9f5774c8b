import { z } from 'zod';

/** Page size field of a list. */
export const pageSize = (max: number, byDefault: number) =>
  z.number().int().min(1).max(max).default(byDefault).describe('Maximum number of entries in one response.');

export const pageToken = z
  .string()
  .min(1)
  .describe('`nextPageToken` of the previous response; the list continues after it.');
