import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';

export interface ResourceFacts {
  id: string;
  disabled: boolean;
  /** The effective type, with the defaults of folders and API key. */
  accessType: AccessType;
  /** The folders that contain a document, or a folder and the folders above it; nearest first. */
  folderIds: string[];
}

export interface UserGrant {
  userId: string;
  type: 'organization' | 'folder' | 'document';
  id: string;
  accessRole: 'viewer' | 'editor';
  expiresAt: number | null;
  accessFields: string[] | null;
}

export interface PermissionFacts {
  /** Undefined if the organization does not exist. */
  organization: { disabled: boolean } | undefined;
  folders: Map<string, ResourceFacts>;
  documents: Map<string, ResourceFacts>;
  grants: UserGrant[];
}

interface PermissionQuestion {
  organizationId: string;
  userIds: string[];
  folderIds: string[];
  documentIds: string[];
}

/** Loads the facts that decide on the access of users to resources of an organization, in one statement. */
export async function loadPermissionFacts(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userIds, folderIds, documentIds }: PermissionQuestion,
): Promise<PermissionFacts> {
  const anyOf = (ids: string[]) => sql`= any(cast(${ids} as text[]))`;
  const byDefault = sql`(select coalesce(config ->> 'defaultDocumentAccessType', 'public') from api_keys
    where api_key_id = ${apiKeyId})`;
  const { rows } = await sql<{
    organization: { disabled: boolean } | null;
    folders: ResourceFacts[];
    documents: ResourceFacts[];
    grants: UserGrant[];
  }>`
    with folder as (
      select folder_id, to_jsonb(array_append(ancestors, folder_id)) as chain, effective_access_type
      from folders where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
        and folder_id ${anyOf(folderIds)}),
    document as (
      select documents.document_id, documents.disabled,
        coalesce(documents.access_type, folders.effective_access_type) as access_type,
        case when folders.folder_id is null then '[]'::jsonb
          else to_jsonb(array_append(folders.ancestors, folders.folder_id)) end as chain
      from documents left join folders on folders.api_key_id = documents.api_key_id
        and folders.organization_id = documents.organization_id and folders.folder_id = documents.folder_id
      where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
        and documents.document_id ${anyOf(documentIds)}),
    wanted as (
      select 'organization' as type, ${organizationId} as id
      union select 'document', document_id from document
      union select 'folder', jsonb_array_elements_text(chain) from document
      union select 'folder', jsonb_array_elements_text(chain) from folder)
    select
      (select jsonb_build_object('disabled', disabled) from organizations
        where api_key_id = ${apiKeyId} and organization_id = ${organizationId}) as organization,
      (select coalesce(jsonb_agg(jsonb_build_object('id', folder_id, 'disabled', false, 'folderIds', chain,
          'accessType', coalesce(effective_access_type, ${byDefault}))), '[]') from folder) as folders,
      (select coalesce(jsonb_agg(jsonb_build_object('id', document_id, 'disabled', disabled, 'folderIds', chain,
          'accessType', coalesce(access_type, ${byDefault}))), '[]') from document) as documents,
      (select coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'type', resource_type, 'id', resource_id,
          'accessRole', access_role, 'expiresAt', expires_at, 'accessFields', access_fields)), '[]')
        from grants join wanted on wanted.type = grants.resource_type and wanted.id = grants.resource_id
        where grants.api_key_id = ${apiKeyId} and grants.organization_id = ${organizationId}
          and grants.user_id ${anyOf(userIds)}) as grants`.execute(db);
  const { organization, folders, documents, grants } = rows[0]!;
  const byId = (facts: ResourceFacts[]) =>
    new Map(facts.map((fact) => [fact.id, { ...fact, folderIds: fact.folderIds.toReversed() }]));
  return {
    organization: organization ?? undefined,
    folders: byId(folders),
    documents: byId(documents),
    grants,
  };
}
