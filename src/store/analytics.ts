import { sql } from 'kysely';
import type { Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';

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
