import { sql } from 'kysely';
import type { AccessRole, ResourceType } from '../../db/tables/user-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';

/** What the rules of access ask of a document. */
export interface DocumentFacts {
  organizationId: string;
  documentId: string;
  disabled: boolean;
  organizationDisabled: boolean;
  /** Its own, else its folder's, else the API key's default. */
  accessType: AccessType;
  /** The folder it lies in and those above, the nearest first. */
  folderIds: string[];
}

export interface StoredGrant {
  userId: string;
  type: ResourceType;
  id: string;
  accessRole: AccessRole;
  /** Epoch milliseconds. */
  expiresAt: number | null;
}

export interface AccessFacts {
  /** Undefined where there is no such document. */
  document: DocumentFacts | undefined;
  /** What these users are granted on the document, on a folder around it or on its organization. */
  grants: StoredGrant[];
}

/** Columns and tables of what the rules ask of documents, to be narrowed by a condition. */
export const factsOfDocuments = sql`documents.disabled, organizations.disabled as organization_disabled,
        coalesce(documents.access_type, folders.effective_access_type,
          api_keys.config ->> 'defaultDocumentAccessType', 'public') as access_type,
        case when folders.folder_id is null then '[]'::jsonb
          else to_jsonb(array_append(folders.ancestors, folders.folder_id)) end as folder_ids
      from documents
      join organizations on organizations.api_key_id = documents.api_key_id
        and organizations.organization_id = documents.organization_id
      join api_keys on api_keys.api_key_id = documents.api_key_id
      left join folders on folders.api_key_id = documents.api_key_id
        and folders.organization_id = documents.organization_id and folders.folder_id = documents.folder_id`;

/** Grants as one value. */
export const grantList = sql`jsonb_agg(jsonb_build_object('userId', grants.user_id, 'type', grants.resource_type,
          'id', grants.resource_id, 'accessRole', grants.access_role, 'expiresAt', grants.expires_at))`;

/** All that decides on what users may do on one document, in one statement. */
export async function loadAccessFacts(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId }: { organizationId: string; documentId: string },
  userIds: string[],
): Promise<AccessFacts> {
  const { rows } = await sql<{
    disabled: boolean;
    organizationDisabled: boolean;
    accessType: AccessType;
    folderIds: string[];
    grants: StoredGrant[];
  }>`
    with place as (
      select documents.document_id, ${factsOfDocuments}
      where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
        and documents.document_id = ${documentId})
    select place.disabled, place.organization_disabled, place.access_type, place.folder_ids,
      (select coalesce(${grantList}, '[]')
        from grants
        where grants.api_key_id = ${apiKeyId}
          and grants.user_id = any(cast(${userIds} as text[]))
          and grants.organization_id = ${organizationId}
          and (grants.resource_type = 'organization'
            or (grants.resource_type = 'document' and grants.resource_id = place.document_id)
            or (grants.resource_type = 'folder' and jsonb_exists(place.folder_ids, grants.resource_id)))
      ) as grants
    from place`.execute(db);
  const row = rows[0];
  if (!row) return { document: undefined, grants: [] };
  const { grants, folderIds, ...rest } = row;
  return { document: { organizationId, documentId, ...rest, folderIds: folderIds.toReversed() }, grants };
}

/** The same for a whole organization: whether it is disabled, and what users are granted on it. */
export async function loadOrganizationFacts(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  userIds: string[],
): Promise<{ disabled: boolean; grants: StoredGrant[] } | undefined> {
  const organization = await db
    .selectFrom('organizations')
    .select('disabled')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  if (!organization) return undefined;
  const grants = await db
    .selectFrom('grants')
    .select(['userId', 'resourceType as type', 'resourceId as id', 'accessRole', 'expiresAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('resourceType', '=', 'organization')
    .where('userId', 'in', userIds)
    .execute();
  return { disabled: organization.disabled, grants };
}
