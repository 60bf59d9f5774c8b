import { sql } from 'kysely';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Adds what a run used to its agent's month. */
export async function addAnalytics(
  tx: Tx,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  entry: {
    agentId: string;
    month: string;
    model: string;
    findings: number;
    promptTokens: number;
    completionTokens: number;
    thoughtsTokens: number;
    totalTokens: number;
    /** To models. */
    requests: number;
  },
): Promise<void> {
  await tx
    .insertInto('agentAnalytics')
    .values({ apiKeyId, executions: 1, ...entry })
    .onConflict((conflict) =>
      conflict.columns(['apiKeyId', 'agentId', 'month', 'model']).doUpdateSet({
        executions: sql<number>`agent_analytics.executions + 1`,
        findings: sql<number>`agent_analytics.findings + excluded.findings`,
        promptTokens: sql<number>`agent_analytics.prompt_tokens + excluded.prompt_tokens`,
        completionTokens: sql<number>`agent_analytics.completion_tokens + excluded.completion_tokens`,
        thoughtsTokens: sql<number>`agent_analytics.thoughts_tokens + excluded.thoughts_tokens`,
        totalTokens: sql<number>`agent_analytics.total_tokens + excluded.total_tokens`,
        requests: sql<number>`agent_analytics.requests + excluded.requests`,
      }),
    )
    .execute();
}

export interface MonthOfUse {
  /** `2026-11`, UTC. */
  month: string;
  /** `provider/model`. */
  model: string;
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  thoughtsTokens: number;
  totalTokens: number;
}

/** What models were used for, a row for each month and model, the oldest first; of one agent or of all. */
export async function listModelUse(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  agentId: string | undefined,
): Promise<MonthOfUse[]> {
  const total = (column: string) => sql<number>`sum(${sql.ref(column)})::bigint`;
  return await db
    .selectFrom('agentAnalytics')
    .select([
      'month',
      'model',
      total('requests').as('requestCount'),
      total('promptTokens').as('promptTokens'),
      total('completionTokens').as('completionTokens'),
      total('thoughtsTokens').as('thoughtsTokens'),
      total('totalTokens').as('totalTokens'),
    ])
    .where('apiKeyId', '=', apiKeyId)
    .where('model', '!=', '')
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId!))
    .groupBy(['month', 'model'])
    .orderBy('month')
    .orderBy('model')
    .execute();
}

export interface ExecutionsOfAgent {
  agentId: string;
  executionCount: number;
  lastExecutedAt: number | null;
}

/** How often each agent ran, built-in ones as far as they ever did; of one agent or of all. */
export async function listExecutionCounts(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  agentId: string | undefined,
): Promise<ExecutionsOfAgent[]> {
  const of = (table: 'agents' | 'builtinAgents') =>
    db
      .selectFrom(table)
      .select(['agentId', 'executionCount', 'lastExecutedAt'])
      .where('apiKeyId', '=', apiKeyId)
      .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId!));
  return await of('agents').unionAll(of('builtinAgents')).execute();
}
