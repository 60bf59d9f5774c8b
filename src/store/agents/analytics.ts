import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Adds the usage of a run to its agent's month. */
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
    /** Requests to models. */
    requests: number;
  },
): Promise<void> {
  await tx
    .insertInto('agentAnalytics')
    .values({ apiKeyId, executions: 1, ...entry })
    .onConflict((conflict) =>
      conflict.columns(['apiKeyId', 'agentId', 'month', 'model']).doUpdateSet((eb) => ({
        executions: eb('agentAnalytics.executions', '+', 1),
        findings: eb('agentAnalytics.findings', '+', eb.ref('excluded.findings')),
        promptTokens: eb('agentAnalytics.promptTokens', '+', eb.ref('excluded.promptTokens')),
        completionTokens: eb('agentAnalytics.completionTokens', '+', eb.ref('excluded.completionTokens')),
        thoughtsTokens: eb('agentAnalytics.thoughtsTokens', '+', eb.ref('excluded.thoughtsTokens')),
        totalTokens: eb('agentAnalytics.totalTokens', '+', eb.ref('excluded.totalTokens')),
        requests: eb('agentAnalytics.requests', '+', eb.ref('excluded.requests')),
      })),
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

/** Usage by month and model, oldest first; of one agent or all. */
export async function listModelUse(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  agentId: string | undefined,
): Promise<MonthOfUse[]> {
  return await db
    .selectFrom('agentAnalytics')
    .select(['month', 'model'])
    .select((eb) => {
      const total = (column: 'requests' | `${'prompt' | 'completion' | 'thoughts' | 'total'}Tokens`) =>
        eb.cast<number>(eb.fn.sum(column), 'bigint');
      return [
        total('requests').as('requestCount'),
        total('promptTokens').as('promptTokens'),
        total('completionTokens').as('completionTokens'),
        total('thoughtsTokens').as('thoughtsTokens'),
        total('totalTokens').as('totalTokens'),
      ];
    })
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

/** Executions by agent, including built-in agents that ever ran; of one agent or all. */
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
