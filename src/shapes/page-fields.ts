import { z } from 'zod';

/** Rows of one page. */
export const pageSize = (max: number, byDefault: number) =>
  z.number().int().min(1).max(max).default(byDefault).describe('Rows in one answer.');

export const pageToken = z
  .string()
  .min(1)
  .describe('Cursor of an earlier answer; the list goes on behind it.');
