import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { MemoryInsightTables } from '../../db/tables/memory-insight-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MemoryAlert } from '../../shapes/memory/memory-insight.ts';
import { listPatterns } from './patterns.ts';

export type AlertRow = MemoryInsightTables['memoryAlerts'];

/** Active alerts, newest first. Evidence omits judgments that were revoked since. */
export async function listAlerts(db: Db, scope: Scope, limit: number): Promise<MemoryAlert[]> {
  const { apiKeyId } = scope;
  const { rows } = await sql<AlertRow & { standing: string[] }>`
    select alert.*, array(
      select judgments.judgment_id
      from jsonb_array_elements_text(alert.evidence -> 'sourceRecordIds') with ordinality as item(judgment_id, rank)
      join judgments on judgments.api_key_id = alert.api_key_id and judgments.judgment_id = item.judgment_id
      order by item.rank) as standing
    from memory_alerts as alert
    where alert.api_key_id = ${apiKeyId} and alert.status = 'active'
    order by alert.created_at desc, alert.alert_id desc limit ${limit}`.execute(db);
  const patternIds = rows.flatMap(({ evidence }) => evidence.ruleRef ?? []);
  const patterns =
    patternIds.length === 0 ? [] : await listPatterns(db, scope, { patternIds }, patternIds.length);
  return rows.map((row) => {
    const pattern = patterns.find(({ patternId }) => patternId === row.evidence.ruleRef);
    return {
      id: row.alertId,
      apiKey: apiKeyId,
      alertType: row.alertType,
      severity: row.severity,
      title: row.title,
      description: pattern ? `${row.description} ${pattern.description}` : row.description,
      evidence: { ...row.evidence, sourceRecordIds: row.standing },
      ...(row.suggestedAction !== null && { suggestedAction: row.suggestedAction }),
      actionUrl: null,
      status: 'active',
      createdAt: row.createdAt,
      dismissedAt: null,
      dismissedBy: null,
      dedupKey: row.dedupKey,
    };
  });
}

/** Ends an active alert; does nothing if it has ended already. */
export async function endAlert(
  tx: Tx,
  { apiKeyId }: Scope,
  alertId: string,
  { status, by }: { status: 'dismissed' | 'actioned'; by: string },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('memoryAlerts')
    .set({ status, endedAt: Date.now(), endedBy: by })
    .where('apiKeyId', '=', apiKeyId)
    .where('alertId', '=', alertId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const row = await tx
    .selectFrom('memoryAlerts')
    .select('alertId')
    .where('apiKeyId', '=', apiKeyId)
    .where('alertId', '=', alertId)
    .executeTakeFirst();
  if (!row) throw notFound('Alert does not exist.');
}

/** Alerts that are active, or were raised or ended after a time. */
export const listRecentAlerts = (
  db: Db,
  { apiKeyId }: Scope,
  since: number,
): Promise<Pick<AlertRow, 'dedupKey' | 'status' | 'createdAt' | 'endedAt'>[]> =>
  db
    .selectFrom('memoryAlerts')
    .select(['dedupKey', 'status', 'createdAt', 'endedAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where((eb) =>
      eb.or([eb('status', '=', 'active'), eb('createdAt', '>', since), eb('endedAt', '>', since)]),
    )
    .execute();

/** Inserts alerts, except those whose dedup key is active. Returns the number inserted. */
export async function insertAlerts(
  tx: Tx,
  { apiKeyId }: Scope,
  alerts: readonly AlertRow[],
): Promise<number> {
  const { rows } = await sql`
    insert into memory_alerts (api_key_id, alert_id, organization_id, alert_type, severity, title, description,
      evidence, suggested_action, status, dedup_key, created_at)
    select ${apiKeyId}, item."alertId", item."organizationId", item."alertType", item.severity, item.title,
      item.description, item.evidence, item."suggestedAction", item.status, item."dedupKey", item."createdAt"
    from jsonb_to_recordset(${json(alerts)}) as item("alertId" text, "organizationId" text, "alertType" text,
      severity text, title text, description text, evidence jsonb, "suggestedAction" text, status text,
      "dedupKey" text, "createdAt" bigint)
    on conflict (api_key_id, dedup_key) where status = 'active' do nothing returning 1`.execute(tx);
  return rows.length;
}

/** Expires active alerts that are older than `activeSince`, and deletes those that ended before `endedSince`. */
export async function retireAlerts(
  tx: Tx,
  { apiKeyId }: Scope,
  { activeSince, endedSince }: { activeSince: number; endedSince: number },
): Promise<void> {
  await tx
    .updateTable('memoryAlerts')
    .set({ status: 'expired', endedAt: Date.now() })
    .where('apiKeyId', '=', apiKeyId)
    .where('status', '=', 'active')
    .where('createdAt', '<', activeSince)
    .execute();
  await tx
    .deleteFrom('memoryAlerts')
    .where('apiKeyId', '=', apiKeyId)
    .where('status', '<>', 'active')
    .where('endedAt', '<', endedSince)
    .execute();
}
