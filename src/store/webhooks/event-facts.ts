import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import type { NotificationSettings } from '../../shapes/notification-config.ts';

/** A document of any tenant. */
export interface WebhookPlace {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
}

/** The name of a document or organization, and the metadata that its owner stores with it. */
export interface Named {
  name: string;
  metadata: Record<string, unknown>;
}

/** A user's notification settings for an organization and for one of its documents; absent if never set. */
export interface ChosenSettings {
  organization?: NotificationSettings;
  document?: NotificationSettings;
}

const keyOf = (...ids: string[]) => JSON.stringify(ids);

export const documentKey = ({ apiKeyId, organizationId, documentId }: WebhookPlace): string =>
  keyOf(apiKeyId, organizationId, documentId);

export const organizationKey = ({
  apiKeyId,
  organizationId,
}: Pick<WebhookPlace, 'apiKeyId' | 'organizationId'>): string => keyOf(apiKeyId, organizationId);

/** The names of documents and their organizations; deleted ones are absent. */
export async function namesOf(
  db: Db,
  places: readonly WebhookPlace[],
): Promise<{ documents: Map<string, Named>; organizations: Map<string, Named> }> {
  const documents = [...new Map(places.map((place) => [documentKey(place), place])).values()];
  const organizations = [...new Map(places.map((place) => [organizationKey(place), place])).values()];
  if (documents.length === 0) return { documents: new Map(), organizations: new Map() };
  const { rows: ofDocuments } = await sql<WebhookPlace & Named>`
    select documents.api_key_id, documents.organization_id, documents.document_id, documents.name, documents.metadata
    from jsonb_to_recordset(${json(documents)})
      as item("apiKeyId" text, "organizationId" text, "documentId" text)
    join documents on documents.api_key_id = item."apiKeyId"
      and documents.organization_id = item."organizationId" and documents.document_id = item."documentId"`.execute(
    db,
  );
  const { rows: ofOrganizations } = await sql<Omit<WebhookPlace, 'documentId'> & Named>`
    select organizations.api_key_id, organizations.organization_id, organizations.name, organizations.metadata
    from jsonb_to_recordset(${json(organizations)}) as item("apiKeyId" text, "organizationId" text)
    join organizations on organizations.api_key_id = item."apiKeyId"
      and organizations.organization_id = item."organizationId"`.execute(db);
  return {
    documents: new Map(ofDocuments.map((row) => [documentKey(row), row])),
    organizations: new Map(ofOrganizations.map((row) => [organizationKey(row), row])),
  };
}

/** Notification settings of users: by document, then by user. */
export async function settingsOn(
  db: Db,
  places: readonly (WebhookPlace & { userIds: readonly string[] })[],
): Promise<Map<string, Map<string, ChosenSettings>>> {
  const users = new Map<string, { place: WebhookPlace; userIds: Set<string> }>();
  for (const { userIds, ...place } of places) {
    const known = users.get(documentKey(place));
    if (known) for (const userId of userIds) known.userIds.add(userId);
    else users.set(documentKey(place), { place, userIds: new Set(userIds) });
  }
  const items = [...users.values()].flatMap(({ place: { apiKeyId, organizationId, documentId }, userIds }) =>
    [...userIds].map((userId) => ({ apiKeyId, organizationId, documentId, userId })),
  );
  const chosen = new Map<string, Map<string, ChosenSettings>>();
  if (items.length === 0) return chosen;
  const { rows } = await sql<
    WebhookPlace & { userId: string; isOfDocument: boolean; config: NotificationSettings }
  >`
    select item."apiKeyId" as api_key_id, item."organizationId" as organization_id,
      item."documentId" as document_id, item."userId" as user_id, settings.document_id <> '' as is_of_document,
      settings.config
    from jsonb_to_recordset(${json(items)})
      as item("apiKeyId" text, "organizationId" text, "documentId" text, "userId" text)
    join notification_settings as settings on settings.api_key_id = item."apiKeyId"
      and settings.organization_id = item."organizationId" and settings.user_id = item."userId"
      and settings.document_id in ('', item."documentId")`.execute(db);
  for (const row of rows) {
    const key = documentKey(row);
    const ofUsers = chosen.get(key) ?? new Map<string, ChosenSettings>();
    chosen.set(key, ofUsers);
    const scope = row.isOfDocument ? 'document' : 'organization';
    ofUsers.set(row.userId, { ...ofUsers.get(row.userId), [scope]: row.config });
  }
  return chosen;
}
