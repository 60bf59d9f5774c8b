import { json } from '../../src/db/sql-fragments.ts';
import type { Attempt, DeliveryStatus } from '../../src/db/tables/webhook-tables.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

/** A workspace with advanced webhooks and one endpoint. */
export async function withEndpoint(url = 'https://example.com/hook') {
  const w = await newWorkspace();
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const { id } = await w.must('/v2/workspace/advancedwebhook/endpoints/create', { url });
  return { w, endpointId: id as string };
}

export interface GivenDelivery {
  seq: number;
  endpointId: string;
  messageId?: string;
  status?: DeliveryStatus;
  eventType?: string;
  createdAt?: number;
  attempts?: Attempt[];
  tries?: number;
  nextAt?: number;
  basicBody?: string;
}

export const ATTEMPT: Attempt = {
  at: 5,
  outcome: 'refused',
  status: 500,
  latencyMs: 3,
  error: 'It answered 500.',
};

/** Inserts deliveries with their messages, as the deliverer would have left them. */
export async function givenDeliveries({ apiKeyId }: TestWorkspace, ...rows: GivenDelivery[]) {
  const { deps } = await testApp();
  for (const row of rows) {
    const { seq, endpointId, status = 'failed', createdAt = seq * 1_000 } = row;
    const messageId = row.messageId ?? `evt_${seq}`;
    const eventType = row.eventType ?? 'comment.add';
    const isOver = status !== 'waiting';
    await deps.db
      .insertInto('webhookMessages')
      .values({
        apiKeyId,
        messageId,
        seq,
        eventType,
        body: JSON.stringify({ seq }),
        basicBody: row.basicBody ?? null,
        createdAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await deps.db
      .insertInto('webhookDeliveries')
      .values({
        apiKeyId,
        messageId,
        endpointId,
        eventType,
        seq,
        status,
        tries: row.tries ?? (status === 'failed' ? 8 : 0),
        nextAt: isOver ? null : (row.nextAt ?? 10),
        attempts: json(row.attempts ?? []),
        createdAt,
        finishedAt: isOver ? createdAt + 1 : null,
      })
      .execute();
  }
}
