import { z } from 'zod';
import { DAY_MS } from '../../lib/day.ts';
import { withOtherProblems } from '../all-problems.ts';
import { annotationId, documentId, userId } from '../id-fields.ts';
import { named } from '../named.ts';
import { contentType, decisionFilter, type JudgmentFilters, judgeType } from './judgment.ts';
import { placeOf } from './memory-place.ts';

/** A question or search text. */
export const memoryText = z.string().regex(/\S/, { error: 'must not be empty' }).max(20_000);

const error = 'must be a moment in ISO 8601, or in epoch milliseconds';
const timestamp = z
  .union(
    [
      z.number().int().min(0).max(8_640_000_000_000_000),
      z.iso.datetime({ offset: true, local: true, error }),
      z.iso.date({ error }),
    ],
    { error },
  )
  .describe('ISO 8601 or epoch milliseconds. A time without a zone is in UTC.');

/** Converts a point in time to epoch milliseconds. `end` turns a date without a time into the end of that day. */
function timestampOf(value: string | number, end = false): number {
  if (typeof value === 'number') return value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return Date.parse(`${value}T00:00:00Z`) + (end ? DAY_MS - 1 : 0);
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
}

/** Filters of judgments, in addition to their place. */
export const memoryFilters = named(
  'MemoryFilters',
  z.object({
    decision: decisionFilter.optional(),
    judgeType: judgeType.optional(),
    contentType: contentType.optional(),
    reviewerId: userId.optional().describe('User who decided.'),
    annotationId: annotationId
      .optional()
      .describe('Returns only judgments of this thread. Requires organizationId.'),
    dateRange: z
      .object({ start: timestamp.optional(), end: timestamp.optional() })
      .refine(
        ({ start, end }) =>
          start === undefined || end === undefined || timestampOf(start) <= timestampOf(end, true),
        { error: 'must not be after filters.dateRange.end', path: ['start'] },
      )
      .optional()
      .describe('Time of the decision. Both ends are inclusive.'),
    excludeDocumentIds: z.array(documentId).min(1).max(20).optional(),
  }),
);
export type MemoryFilters = z.output<typeof memoryFilters>;

export const recencyDays = z
  .number()
  .int()
  .min(1)
  .max(365)
  .describe(
    'Number of days up to now: returns only judgments of that period. Takes precedence over filters.dateRange.',
  );

/** Converts filters for the store. `recencyDays` takes precedence over `dateRange`. */
export function filtersOf(
  { dateRange, ...filters }: MemoryFilters,
  days: number | undefined,
  now: number,
): JudgmentFilters {
  if (days !== undefined) return { ...filters, from: now - days * DAY_MS, to: now };
  return {
    ...filters,
    from: dateRange?.start === undefined ? undefined : timestampOf(dateRange.start),
    to: dateRange?.end === undefined ? undefined : timestampOf(dateRange.end, true),
  };
}

interface Times {
  filters?: { annotationId?: string | undefined; dateRange?: unknown } | undefined;
  recencyDays?: number | undefined;
}

/** Times that are sent in vain: a thread is read as a whole, and `recencyDays` replaces other times. */
export function timesWithoutEffect({ filters: { annotationId, dateRange } = {}, recencyDays }: Times) {
  const isThread = annotationId !== undefined;
  const because = isThread ? 'filters.annotationId stands for the whole thread' : 'recencyDays replaces it';
  return [
    ...(dateRange !== undefined && (isThread || recencyDays !== undefined)
      ? [{ path: ['filters', 'dateRange'], because }]
      : []),
    ...(isThread && recencyDays !== undefined ? [{ path: ['recencyDays'], because }] : []),
  ];
}

type WithThread = Parameters<typeof placeOf>[0] & {
  filters?: { annotationId?: string | undefined } | undefined;
};

const isThreadFound = (data: WithThread): boolean =>
  data.filters?.annotationId === undefined || placeOf(data).organizationId !== undefined;

/** Arguments for `refine`: an annotationId requires an organizationId. */
export const threadNeedsOrganization: [typeof isThreadFound, z.core.$ZodCustomParams] = [
  isThreadFound,
  { ...withOtherProblems, path: ['organizationId'], error: 'is required with filters.annotationId' },
];
