import type { EndpointKind } from '../../db/tables/webhook-tables.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { removeEndpoint, resetHealth } from './endpoints.ts';
import { holdWaiting } from './lanes.ts';

export interface BasicTarget {
  /** Empty if there is no endpoint. */
  url: string;
  isEnabled: boolean;
  /** Enables the endpoint even if it was disabled by failures. */
  revive: boolean;
}

/** Creates, changes or removes an endpoint of the basic configuration; its kind is its id. */
export async function setBasicEndpoint(
  tx: Tx,
  { apiKeyId, workspaceId }: Scope,
  kind: Exclude<EndpointKind, 'advanced'>,
  { url, isEnabled, revive }: BasicTarget,
): Promise<void> {
  const before = await tx
    .selectFrom('webhookEndpoints')
    .select(['url', 'disabled', 'disabledReason'])
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  if (url === '') {
    if (before) await removeEndpoint(tx, apiKeyId, kind);
    return;
  }
  const now = Date.now();
  const isMoved = before !== undefined && before.url !== url;
  const hasFailed = before?.disabledReason === 'gone' || before?.disabledReason === 'failing';
  const disabledReason = !isEnabled
    ? 'caller'
    : hasFailed && !revive && !isMoved
      ? before.disabledReason
      : null;
  const disabled = disabledReason !== null;
  if (!before) {
    await tx
      .insertInto('webhookEndpoints')
      .values({
        apiKeyId,
        endpointId: kind,
        workspaceId,
        kind,
        url,
        disabled,
        disabledReason,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await tx.insertInto('webhookLanes').values({ apiKeyId, endpointId: kind, toldPercent: 0 }).execute();
    return;
  }
  await tx
    .updateTable('webhookEndpoints')
    .set({ url, disabled, disabledReason, updatedAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', kind)
    .execute();
  if (disabled) await holdWaiting(tx, apiKeyId, [kind]);
  if (isMoved || (before.disabled && !disabled)) await resetHealth(tx, apiKeyId, kind);
}
