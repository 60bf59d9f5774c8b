import { z } from 'zod';

export const shareLifetime = z
  .number()
  .int()
  .min(1)
  .max(90 * 24)
  .default(7 * 24)
  .describe('Hours until the link ends; a week by default.');

const sharedReport = z.object({
  url: z
    .string()
    .describe(
      'The report as HTML. With `&format=`, it is returned in another format: `text`, `json`, `junit`, `sarif`, `markdown`, `csv` or `codequality`.',
    ),
  expiresAt: z.number().describe('End of the link in epoch milliseconds.'),
});

/** The common part of the operations that share a report. */
export const sharing = {
  auth: 'apiKey',
  // The link opens without credentials.
  role: 'editor',
  description:
    'The link is signed and has an end, and shows the report in a browser. Anyone with the link may open it until then; it cannot be revoked.',
  result: sharedReport,
  message: 'Link created successfully',
} as const;
