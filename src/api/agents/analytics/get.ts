import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { named } from '../../../shapes/named.ts';
import { listExecutionCounts, listModelUse, type MonthOfUse } from '../../../store/agents/analytics.ts';

const usage = named(
  'ModelUsage',
  z.object({
    requestCount: z.number().describe('Number of requests that models answered.'),
    promptTokens: z.number(),
    completionTokens: z.number(),
    thoughtsTokens: z.number().describe('Completion tokens that models used for thinking.'),
    totalTokens: z.number(),
  }),
);
type Usage = z.infer<typeof usage>;

const byModel = z
  .record(z.string(), usage)
  .describe('Keyed by model: `provider_model` with every dot and slash replaced by `_`.');

export default read({
  path: '/v2/agents/analytics/get',
  auth: 'apiKey',
  summary: 'Get the language model usage and execution counts of agents.',
  description: 'Months are in UTC. An agent that never ran or does not exist has no usage.',
  data: z
    .object({
      agentId: agentId.optional().describe('Defaults to all agents together.'),
      year: z
        .string()
        .regex(/^\d{4}$/, { error: 'must be a year of four digits' })
        .optional()
        .describe('Limits `yearly` to this year and includes its months.'),
      month: z
        .string()
        .regex(/^(0[1-9]|1[0-2])$/, { error: 'must be a month, from 01 to 12' })
        .optional()
        .describe('Limits `monthly` to this month of the year.'),
      model: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .describe('Limits `byModel` to this model, as `provider/model`.'),
    })
    .meta({ examples: [{ year: '2026', month: '11' }] }),
  result: z.object({
    analytics: z.object({
      tokenUsage: z.object({
        allTime: usage,
        yearly: z.record(z.string(), byModel).describe('Keyed by year.'),
        monthly: z
          .record(z.string(), byModel)
          .optional()
          .describe('Keyed by month, from `01` to `12`. Present if a year is sent.'),
        byModel,
      }),
      executionCounts: z
        .record(
          z.string(),
          z.object({
            executionCount: z.number().int(),
            lastExecutedAt: z
              .number()
              .nullable()
              .describe('Epoch milliseconds; null if the agent never ran.'),
          }),
        )
        .describe('Keyed by agent id.'),
    }),
  }),
  message: 'Analytics fetched successfully',

  async handle({ agentId, year, month, model }, { caller, db }) {
    const rows = await listModelUse(db, caller, agentId);
    const counts = await listExecutionCounts(db, caller, agentId);
    const inYear = year === undefined ? rows : rows.filter((row) => row.month.startsWith(`${year}-`));
    const inMonth = month === undefined ? inYear : inYear.filter((row) => row.month.endsWith(`-${month}`));
    const ofModel = model === undefined ? rows : rows.filter((row) => row.model === model);
    const nothing = { executionCount: 0, lastExecutedAt: null };
    return {
      analytics: {
        tokenUsage: {
          allTime: sum(rows),
          yearly: grouped(inYear, (row) => row.month.slice(0, 4), modelsOf),
          ...(year !== undefined && { monthly: grouped(inMonth, (row) => row.month.slice(5), modelsOf) }),
          byModel: modelsOf(ofModel),
        },
        executionCounts: {
          ...(agentId !== undefined && { [agentId]: nothing }),
          ...Object.fromEntries(counts.map(({ agentId: id, ...count }) => [id, count])),
        },
      },
    };
  },
});

const sum = (rows: readonly MonthOfUse[]): Usage => {
  const total = (field: keyof Usage) => rows.reduce((all, row) => all + row[field], 0);
  return {
    requestCount: total('requestCount'),
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
    thoughtsTokens: total('thoughtsTokens'),
    totalTokens: total('totalTokens'),
  };
};

const grouped = <T>(
  rows: readonly MonthOfUse[],
  keyOf: (row: MonthOfUse) => string,
  show: (rows: readonly MonthOfUse[]) => T,
): Record<string, T> =>
  Object.fromEntries([...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, show(group)]));

const modelsOf = (rows: readonly MonthOfUse[]): Record<string, Usage> =>
  grouped(rows, ({ model }) => model.replace(/[./]/g, '_'), sum);
