import { z } from 'zod';

export const shareLifetime = z
  .number()
  .int()
  .min(1)
  .max(90 * 24)
  .default(7 * 24)
  .describe('Hours until the link ends; a week by default.');

export const sharedReport = z.object({
  url: z
    .string()
    .describe(
      'The report as HTML. With `&format=`, it is returned in another format: `text`, `json`, `junit`, `sarif`, `markdown`, `csv` or `codequality`.',
    ),
  expiresAt: z.number().describe('End of the link in epoch milliseconds.'),
});
