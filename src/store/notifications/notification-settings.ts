import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../shapes/notification-config.ts';

/** Document id of the settings for the whole organization. */
const WHOLE_ORGANIZATION = '';

/** Upserts notification settings of users, for documents or as their default; absent channels stay. */
export async function putSettings(
  tx: Tx,
  { apiKeyId }: Scope,
  {
    organizationId,
    userIds,
    documentIds,
    config,
  }: {
    organizationId: string;
    userIds: string[];
    /** Undefined for the default of documents without settings. */
    documentIds: string[] | undefined;
    config: NotificationSettings;
  },
): Promise<void> {
  await sql`
    insert into notification_settings (api_key_id, organization_id, user_id, document_id, config, updated_at)
    select ${apiKeyId}, ${organizationId}, chosen.user_id, place.document_id, ${json(config)},
      cast(${Date.now()} as bigint)
    from (select distinct jsonb_array_elements_text(${json(userIds)}) as user_id) as chosen,
      (select distinct jsonb_array_elements_text(${json(documentIds ?? [WHOLE_ORGANIZATION])}) as document_id) as place
    order by chosen.user_id, place.document_id
    on conflict (api_key_id, organization_id, user_id, document_id) do update
      set config = notification_settings.config || excluded.config, updated_at = excluded.updated_at`.execute(
    tx,
  );
}

/** A user's settings for the organization and each document, with defaults. */
export async function getSettings(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId, documentIds }: { organizationId: string; userId: string; documentIds: string[] },
): Promise<{ organization: NotificationSettings; byDocument: Map<string, NotificationSettings> }> {
  const rows = await db
    .selectFrom('notificationSettings')
    .select(['documentId', 'config'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('documentId', 'in', [WHOLE_ORGANIZATION, ...documentIds])
    .execute();
  const stored = new Map(rows.map((row) => [row.documentId, row.config as NotificationSettings]));
  const organization = { ...DEFAULT_SETTINGS, ...stored.get(WHOLE_ORGANIZATION) };
  return {
    organization,
    byDocument: new Map(documentIds.map((id) => [id, { ...organization, ...stored.get(id) }])),
  };
}
