import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type EditorRef, listEditors } from './crdt-editors.ts';
import type { StoredEditor } from './crdt-log.ts';

const BATCH = 100;
const MAX_BYTES = 8_388_608;

const deletedRow = z.object({ editorId: z.string() });

/**
 * Deletes editors of a document, by default all of them, with their logs, and returns them. A tombstone keeps the Yjs
 * clients that wrote in each editor (`writersOf`), so that their late updates are recognized.
 */
export async function deleteEditors(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: DocumentRef,
  editorIds: readonly string[] | undefined,
  writersOf: (editor: StoredEditor) => number[] | Promise<number[]>,
): Promise<EditorRef[]> {
  const place = { organizationId, documentId };
  const here = sql`api_key_id = ${scope.apiKeyId} and organization_id = ${organizationId}
    and document_id = ${documentId}`;
  const among = editorIds ? sql`and editor_id = any(${[...editorIds]})` : sql``;
  // Waits for writers; locked in the order in which they lock.
  const locked = await rowsOf(
    tx,
    deletedRow,
    sql`
    select editor_id from crdt_editors where ${here} ${among}
    order by editor_id collate "C" for update`,
  );
  for (let left = locked.map((row) => row.editorId); left.length > 0; ) {
    const part = left.slice(0, BATCH);
    const { editors } = await listEditors(tx, scope, place, {
      editorIds: part,
      limit: BATCH,
      maxBytes: MAX_BYTES,
    });
    const tombstones: Tombstone[] = [];
    for (const editor of editors) {
      tombstones.push({ editorId: editor.editorId, clientIds: await writersOf(editor) });
    }
    await insertTombstones(tx, scope, place, tombstones);
    const done = editors.map(({ editorId }) => editorId);
    await tx
      .deleteFrom('crdtEditors')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('documentId', '=', documentId)
      .where('editorId', '=', anyOf(done))
      .execute();
    left = left.slice(done.length);
  }
  return locked.map(({ editorId }) => ({ ...place, editorId }));
}

interface Tombstone {
  editorId: string;
  clientIds: number[];
}

/** Upserts tombstones; the clients of an earlier editor of the same name are kept. */
async function insertTombstones(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  tombstones: Tombstone[],
): Promise<void> {
  await sql`
    insert into crdt_deletions (api_key_id, organization_id, document_id, editor_id, client_ids, deleted_at)
    select ${apiKeyId}, ${organizationId}, ${documentId}, item."editorId", item."clientIds",
      cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(tombstones)}) as item("editorId" text, "clientIds" jsonb)
    on conflict (api_key_id, organization_id, document_id, editor_id) do update
      set client_ids = ${bothClientIds(sql`crdt_deletions.client_ids`, sql`excluded.client_ids`)},
        deleted_at = excluded.deleted_at`.execute(tx);
}

type Sql = ReturnType<typeof sql>;

/** The union of two jsonb lists of client ids. */
export const bothClientIds = (one: Sql, other: Sql): Sql =>
  sql`(select coalesce(jsonb_agg(distinct id), '[]') from jsonb_array_elements(${one} || ${other}) as id)`;
