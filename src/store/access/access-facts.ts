import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { AccessRole, ResourceType } from '../../db/tables/user-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

/** The state of a document that the rules of access depend on. */
export interface DocumentFacts extends DocumentRef {
  disabled: boolean;
  organizationDisabled: boolean;
  /** Its own, otherwise its folder's, otherwise the API key's default. */
  accessType: AccessType;
  /** Its folder and the folders above, the nearest first. */
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
  /** Undefined if the document does not exist. */
  document: DocumentFacts | undefined;
  /** Grants of the users on the document, on a folder around it or on its organization. */
  grants: StoredGrant[];
}

interface AccessQuestion {
  organizationId: string;
  documentId: string;
  userIds: string[];
}

/** Loads the facts for questions about several documents of one API key in one statement, in their order. */
export async function loadAccessFactsOfMany(
  db: Db,
  { apiKeyId }: Scope,
  questions: AccessQuestion[],
): Promise<AccessFacts[]> {
  const { rows } = await sql<{
    position: number;
    disabled: boolean;
    organizationDisabled: boolean;
    accessType: AccessType;
    folderIds: string[];
    grants: StoredGrant[];
  }>`
    with asked as materialized (
      select asked.position - 1 as position, item ->> 'organizationId' as organization_id,
        item ->> 'documentId' as document_id, item -> 'userIds' as user_ids
      from jsonb_array_elements(${json(questions)}) with ordinality as asked(item, position))
    select asked.position::integer as position, place.disabled, place.organization_disabled, place.access_type,
      place.folder_ids, held.grants
    from asked
    cross join lateral (
      select documents.disabled, organizations.disabled as organization_disabled,
        coalesce(documents.access_type, folders.effective_access_type,
          api_keys.config ->> 'defaultDocumentAccessType', 'public') as access_type,
        case when folders.folder_id is null then '[]'::jsonb
          else to_jsonb(array_append(folders.ancestors, folders.folder_id)) end as folder_ids
      from documents
      join organizations on organizations.api_key_id = documents.api_key_id
        and organizations.organization_id = documents.organization_id
      join api_keys on api_keys.api_key_id = documents.api_key_id
      left join folders on folders.api_key_id = documents.api_key_id
        and folders.organization_id = documents.organization_id and folders.folder_id = documents.folder_id
      where documents.api_key_id = ${apiKeyId} and documents.organization_id = asked.organization_id
        and documents.document_id = asked.document_id
      offset 0) as place
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('userId', grants.user_id, 'type', grants.resource_type,
          'id', grants.resource_id, 'accessRole', grants.access_role, 'expiresAt', grants.expires_at)), '[]')
        as grants
      from jsonb_array_elements_text(asked.user_ids) as of_user(user_id)
      join grants on grants.api_key_id = ${apiKeyId} and grants.user_id = of_user.user_id
        and grants.organization_id = asked.organization_id
      where grants.resource_type = 'organization'
        or (grants.resource_type = 'document' and grants.resource_id = asked.document_id)
        or (grants.resource_type = 'folder' and jsonb_exists(place.folder_ids, grants.resource_id))) as held`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.position, row]));
  return questions.map(({ organizationId, documentId }, position) => {
    const row = found.get(position);
    if (!row) return { document: undefined, grants: [] };
    const { position: _, grants, folderIds, ...rest } = row;
    return { document: { organizationId, documentId, ...rest, folderIds: folderIds.toReversed() }, grants };
  });
}

/** Loads the facts for users and one document. */
export async function loadAccessFacts(
  db: Db,
  scope: Scope,
  document: DocumentRef,
  userIds: string[],
): Promise<AccessFacts> {
  const [facts] = await loadAccessFactsOfMany(db, scope, [{ ...document, userIds }]);
  return facts!;
}

/** Loads an organization's state and what users are granted on it as a whole; undefined if it does not exist. */
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
