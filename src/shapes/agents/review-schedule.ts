import { z } from 'zod';
import { named } from '../named.ts';
import { sentChoices } from './review.ts';

export const scheduleName = z.string().trim().max(200);
export const cron = z
  .string()
  .trim()
  .min(9)
  .max(200)
  .describe(
    'Cron expression of five fields: minute, hour, day of the month, month, day of the week. At most every five minutes.',
  );
export const timeZone = z
  .string()
  .min(1)
  .max(100)
  .describe('IANA time zone of the expression, such as `Europe/Berlin`.');

export const reviewSchedule = named(
  'ReviewSchedule',
  z.object({
    id: z.string(),
    name: z.string(),
    cron: z.string(),
    timeZone: z.string(),
    enabled: z.boolean(),
    review: z.object({
      urls: z.array(z.string()),
      agents: z.array(z.string()).optional(),
      preset: z.string().optional(),
      groupId: z.string().optional(),
      crossPageExecute: z.boolean(),
      maxUrlsToProcess: z.number(),
      deviceType: z.enum(['mobile', 'desktop']),
      ...sentChoices,
    }),
    metadata: z.object({ organizationId: z.string(), documentId: z.string() }),
    nextAt: z
      .number()
      .nullable()
      .describe('The next start in epoch milliseconds; null while the schedule is disabled.'),
    lastAt: z.number().nullable().describe('The last start in epoch milliseconds; null before the first.'),
    lastReviewId: z.string().nullable().describe('The review that was started last.'),
    lastError: z.string().nullable().describe('Why the last start failed; null if it did not.'),
    createdAt: z.number().describe('Epoch milliseconds.'),
    updatedAt: z.number().describe('Epoch milliseconds.'),
  }),
);
export type ReviewScheduleRecord = z.input<typeof reviewSchedule>;
