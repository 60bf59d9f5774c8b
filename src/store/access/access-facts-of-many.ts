import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';
import { type AccessFacts, factsOfDocuments, grantList, type StoredGrant } from './access-facts.ts';

interface Question {
  organizationId: string;
  documentId: string;
  userIds: string[];
}

/** The same as `loadAccessFacts` for many documents of one API key, in one statement; answers in their order. */
export async function loadAccessFactsOfMany(
  db: Db,
  { apiKeyId }: Scope,
  questions: Question[],
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
      select ${factsOfDocuments}
      where documents.api_key_id = ${apiKeyId} and documents.organization_id = asked.organization_id
        and documents.document_id = asked.document_id
      offset 0) as place
    cross join lateral (
      select coalesce(${grantList}, '[]')
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
