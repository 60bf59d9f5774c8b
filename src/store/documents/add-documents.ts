import { type CompiledQuery, sql } from 'kysely';
import { prepared, type Statement } from '../../db/prepared.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { NewDocument } from '../../shapes/document.ts';
import {
  hasOrganization,
  organizationAdded,
  organizationTables,
  type PresentOrganization,
  presentOrganization,
} from '../platform/present-organization.ts';
import { itemsOf } from './documents.ts';

/** Without new documents there is one row, whose `documentId` is null. */
export interface AddedDocument {
  hasOrganization: boolean;
  documentId: string | null;
}

/** A statement that adds new documents, outside of any folder, and with `create` also their organization. */
export const documentAddition = (
  scope: Scope,
  organizationId: string,
  documents: NewDocument[],
  { create }: { create: boolean },
): Statement<AddedDocument> =>
  insertDocuments.with({
    ...presentOrganization(scope, organizationId, { create }),
    items: JSON.stringify(
      itemsOf(documents).map((item, position) => ({ ...item, position, eventId: newTimedId('evt') })),
    ),
  });

const insertDocuments = prepared<PresentOrganization & { items: string }, AddedDocument>((db, args) => {
  const { apiKeyId, workspaceId, organizationId, now } = args;
  const added = eventColumns({
    apiKeyId,
    workspaceId,
    eventId: sql`item."eventId"`,
    name: 'document.add',
    payload: sql`jsonb_build_object('organizationId', cast(${organizationId} as text),
      'documentId', added.document_id, 'documentName', added.name)`,
    createdAt: now,
  });
  const events = sql`
    select ${organizationAdded(args)}, -1 as position from made
    union all
    select ${added}, item.position from added join item on item."documentId" = added.document_id`;
  const query = sql<AddedDocument>`
    with item as materialized (select * from jsonb_to_recordset(cast(${args.items} as jsonb)) as item(position integer,
      "documentId" text, name text, "accessType" text, metadata jsonb, "eventId" text)),
    ${organizationTables(args)},
    added as (
      insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
        metadata, next_annotation_number, created_at, updated_at)
      select cast(${apiKeyId} as text), cast(${organizationId} as text), "documentId", coalesce(name, "documentId"),
        null, "accessType", false, metadata, 1, cast(${now} as bigint), cast(${now} as bigint)
      from item where ${hasOrganization} order by position
      on conflict do nothing
      returning document_id, name),
    announced as (${insertEvents(events, sql`position`)})
    select ${hasOrganization} as has_organization, added.document_id
    from (select) as one left join added on true`;
  return { compile: () => query.compile(db) as CompiledQuery<AddedDocument> };
});
