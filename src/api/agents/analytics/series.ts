import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { addDays, clockOf, countDays, isDay, isTimeZone } from '../../../lib/time/days.ts';
import type { Severity } from '../../../shapes/agents/execution.ts';
import type { executionStatus } from '../../../shapes/agents/execution-record.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';
import { named } from '../../../shapes/named.ts';
import {
  countRunsByDay,
  durationsByDay,
  fixedByDay,
  newByDay,
  openChangesByDay,
  tokensByDay,
} from '../../../store/agents/run-series.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

const date = z.string().refine(isDay, { error: 'must be a day, such as 2026-11-30' });
const number = z.number();
const bySeverity = named(
  'CountsBySeverity',
  z.object({
    ...{ critical: number, high: number, medium: number, low: number, info: number },
  } satisfies Record<Severity, z.ZodNumber>),
);
const byStatus = z.object({
  ...{ running: number, passed: number, failed: number, partial: number, error: number, skipped: number },
} satisfies Record<z.infer<typeof executionStatus>, z.ZodNumber>);
const counted = z.object({ total: z.number(), bySeverity });

const seriesDay = named(
  'AgentAnalyticsDay',
  z.object({
    date: z.string().describe('The day, such as `2026-11-30`.'),
    runs: z.object({ total: z.number(), byStatus }).describe('Runs that started on that day.'),
    findings: z.object({
      new: counted.describe('Findings that the previous run did not have; all of them in a first run.'),
      fixed: counted.describe(
        'Findings of previous runs that are gone. The severity of the first 50 of a run is known.',
      ),
      open: counted.describe(
        'Findings at the end of the day, of today those so far. Each counts from the day on which a run first saw it until it is fixed, rejected or resolved.',
      ),
    }),
    duration: z
      .object({ p50Ms: z.number().nullable(), p95Ms: z.number().nullable() })
      .describe('Median and 95th percentile of ended runs; null if there was none.'),
    tokens: z
      .array(
        z.object({
          model: z.string(),
          promptTokens: z.number(),
          completionTokens: z.number(),
          thoughtsTokens: z.number(),
          totalTokens: z.number(),
          requestCount: z.number(),
          cost: z
            .number()
            .nullable()
            .describe(
              'By the prices in REDPEN_MODEL_PRICES, in their currency, to a millionth. Null if the model has no price there.',
            ),
        }),
      )
      .describe('By model. A run that asked several models counts for the last of them.'),
  }),
);

export default read({
  path: '/v2/agents/analytics/series',
  auth: 'apiKey',
  isHeavy: true,
  summary: 'Get runs, findings, durations and tokens of agents by day.',
  description:
    'Every day of the range is in the result, oldest first; days without runs have zeros. A run counts for the day on which it started.',
  data: z
    .object({
      from: date.optional().describe(`First day. Defaults to ${DEFAULT_DAYS - 1} days before \`to\`.`),
      to: date.optional().describe('Last day. Defaults to today.'),
      timeZone: z
        .string()
        .max(100)
        .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin' })
        .default('UTC')
        .describe('Name of the time zone in which days begin and end.'),
      agentId: agentId.optional(),
      organizationId: organizationId.optional(),
      documentId: documentId.optional().describe('Needs organizationId.'),
    })
    .refine((data) => data.documentId === undefined || data.organizationId !== undefined, {
      ...withOtherProblems,
      path: ['organizationId'],
      error: 'documentId needs organizationId.',
    })
    .meta({ examples: [{ from: '2026-11-01', to: '2026-11-30', agentId: 'broken-links' }] }),
  result: z.object({ timeZone: z.string(), from: z.string(), to: z.string(), days: z.array(seriesDay) }),
  message: 'Analytics fetched successfully',

  async handle({ timeZone, from, to, ...filter }, { db, caller, settings }) {
    const clock = clockOf(timeZone);
    const last = to ?? clock.dayAt(Date.now());
    const first = from ?? addDays(last, 1 - DEFAULT_DAYS);
    const length = countDays(first, last);
    if (length < 1) throw invalidArgument(`from must not be after to, which is ${last}.`);
    if (length > MAX_DAYS) throw invalidArgument(`The range has ${length} days; ${MAX_DAYS} are allowed.`);
    const dates = Array.from({ length: length + 1 }, (_, index) => addDays(first, index));
    const range = { ...filter, bounds: dates.map(clock.startOf) };
    const [runs, durations, tokens, found, fixed, openChanges] = await Promise.all([
      countRunsByDay(db, caller, range),
      durationsByDay(db, caller, range),
      tokensByDay(db, caller, range),
      newByDay(db, caller, range),
      fixedByDay(db, caller, range),
      openChangesByDay(db, caller, range),
    ]);
    const open = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    const days = dates.slice(0, -1).map((date, index) => {
      const isOn = ({ day }: { day: number }) => day === index;
      const duration = durations.find(isOn);
      const gone = fixed.find(isOn);
      for (const { severity, change } of openChanges.filter(isOn)) open[severity] += change;
      const byStatus = { running: 0, passed: 0, failed: 0, partial: 0, error: 0, skipped: 0 };
      for (const { status, runs: number } of runs.filter(isOn)) byStatus[status] = number;
      return {
        date,
        runs: { total: sumOf(Object.values(byStatus)), byStatus },
        findings: {
          new: countsOf(Object.fromEntries(found.filter(isOn).map((row) => [row.severity, row.found]))),
          fixed: { ...countsOf(gone?.bySeverity ?? {}), total: gone?.fixed ?? 0 },
          open: countsOf(open),
        },
        duration: { p50Ms: rounded(duration?.p50), p95Ms: rounded(duration?.p95) },
        tokens: tokens
          .filter(isOn)
          .map(({ day, ...used }) => ({ ...used, cost: costOf(used, settings.modelPrices.get(used.model)) })),
      };
    });
    return { timeZone, from: first, to: last, days };
  },
});

/** Tokens of thinking are completion tokens. */
const costOf = (
  { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
  price: { input: number; output: number } | undefined,
): number | null =>
  price ? Math.round(promptTokens * price.input + completionTokens * price.output) / 1_000_000 : null;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value);

const countsOf = (known: Partial<Record<string, number>>) => {
  const { critical = 0, high = 0, medium = 0, low = 0, info = 0 } = known;
  const bySeverity = { critical, high, medium, low, info };
  return { total: sumOf(Object.values(bySeverity)), bySeverity };
};
