import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type EditorRef, listEditors } from './crdt-editors.ts';
import type { StoredEditor } from './crdt-log.ts';

const AT_ONCE = 100;
const MAX_BYTES = 8_388_608;

/**
 * Deletes editors of a document, by default all of them, with their history; answers those that there were.
 * `writersOf` tells the Yjs client ids of those who wrote in an editor.
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
  // What is being written is waited for, in the order in which it is written.
  const { rows: held } = await sql<{ editorId: string }>`
    select editor_id from crdt_editors where ${here} ${among}
    order by editor_id collate "C" for update`.execute(tx);
  for (let left = held.map((row) => row.editorId); left.length > 0; ) {
    const part = left.slice(0, AT_ONCE);
    const { editors } = await listEditors(tx, scope, place, {
      editorIds: part,
      limit: AT_ONCE,
      maxBytes: MAX_BYTES,
    });
    const deletions: Deletion[] = [];
    for (const editor of editors) {
      deletions.push({ editorId: editor.editorId, clientIds: await writersOf(editor) });
    }
    await noteDeletions(tx, scope, place, deletions);
    const done = editors.map(({ editorId }) => editorId);
    await sql`delete from crdt_editors where ${here} and editor_id = any(${done})`.execute(tx);
    left = left.slice(done.length);
  }
  return held.map(({ editorId }) => ({ ...place, editorId }));
}

interface Deletion {
  editorId: string;
  clientIds: number[];
}

/** Those of an earlier editor of the same name stay with those of the later one. */
async function noteDeletions(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  deletions: Deletion[],
): Promise<void> {
  await sql`
    insert into crdt_deletions (api_key_id, organization_id, document_id, editor_id, client_ids, deleted_at)
    select ${apiKeyId}, ${organizationId}, ${documentId}, item."editorId", item."clientIds",
      cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(deletions)}) as item("editorId" text, "clientIds" jsonb)
    on conflict (api_key_id, organization_id, document_id, editor_id) do update
      set client_ids = ${bothClientIds(sql`crdt_deletions.client_ids`, sql`excluded.client_ids`)},
        deleted_at = excluded.deleted_at`.execute(tx);
}

type Sql = ReturnType<typeof sql>;

/** Two lists of client ids as one. */
export const bothClientIds = (one: Sql, other: Sql): Sql =>
  sql`(select coalesce(jsonb_agg(distinct id), '[]') from jsonb_array_elements(${one} || ${other}) as id)`;
