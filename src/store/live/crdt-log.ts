import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { LiveTables } from '../../db/tables/live-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { joinPieces, piecesOf } from '../platform/bytes-in-pieces.ts';

export interface EditorKey extends DocumentRef {
  apiKeyId: string;
  editorId: string;
}

/** The key as arguments of a prepared statement, which no interface can be. */
export type KeyFields = Pick<EditorKey, keyof EditorKey>;

/** Updates of one editor that are stored together. */
export interface Append extends EditorKey {
  /** The editor that they belong to; null if there was none yet and one may be created. */
  incarnation: string | null;
  /** The incarnation of the editor if it is created. */
  newIncarnation: string;
  /** As `packUpdates` encodes them. */
  payload: Uint8Array;
  /** The author of the last update; null for a backend. */
  userId: string | null;
  sessionId: string | null;
}

const append = prepared((db, args: { items: string; bytes: Uint8Array; now: number }) => ({
  compile: () =>
    sql<{ itemPosition: number; storedIncarnation: string }>`
        select item_position, stored_incarnation from append_crdt_updates(cast(${args.items} as jsonb),
          cast(${args.bytes} as bytea), cast(${args.now} as bigint))`.compile(db),
}));

/**
 * Stores updates of many editors in one statement, all or none. Returns the incarnation of each editor, or undefined if
 * its updates were not stored because the editor or its document was deleted.
 */
export async function appendUpdates(db: Db, appends: readonly Append[]): Promise<(string | undefined)[]> {
  let start = 1;
  const items = appends.map(({ payload, ...item }, position) => {
    const row = { ...item, position, start, length: payload.length };
    start += payload.length;
    return row;
  });
  const bytes = Buffer.concat(appends.map(({ payload }) => payload));
  const rows = await append(db, { items: JSON.stringify(items), bytes, now: Date.now() });
  const stored = new Map(rows.map((row) => [row.itemPosition, row.storedIncarnation]));
  return appends.map((_, position) => stored.get(position));
}

export type StoredEditor = Pick<LiveTables['crdtEditors'], 'incarnation' | 'type' | 'contentKey'> & {
  snapshot: Uint8Array | null;
  /** Updates after the snapshot, as `unpackUpdates` decodes them. */
  updates: Uint8Array | null;
};

const CONTENT_COLUMNS = {
  bytes: ['snapshot', 'updates'],
  others: ['incarnation', 'type', 'content_key'],
};

const contentOf = prepared((db, { apiKeyId, organizationId, documentId, editorId }: KeyFields) => {
  const query = sql<StoredEditor>`
    select incarnation, type, content_key, snapshot,
      (select string_agg(crdt_updates.payload, ''::bytea order by crdt_updates.seq) from crdt_updates
        where crdt_updates.api_key_id = ${apiKeyId} and crdt_updates.organization_id = ${organizationId}
          and crdt_updates.document_id = ${documentId} and crdt_updates.editor_id = ${editorId}) as updates
    from crdt_editors
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
      and editor_id = ${editorId}`;
  return { compile: () => piecesOf(query, CONTENT_COLUMNS).compile(db) };
});

/** An editor with its content, read by one statement. */
export async function loadEditor(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { organizationId, documentId, editorId }: Omit<EditorKey, 'apiKeyId'>,
): Promise<StoredEditor | undefined> {
  const pieces = await contentOf(db, { apiKeyId, organizationId, documentId, editorId });
  return joinPieces<StoredEditor>(pieces, CONTENT_COLUMNS)[0];
}

/** The tombstone: ids of Yjs clients that wrote in a deleted editor of this name. */
export async function loadDeletion(
  db: Db,
  { apiKeyId, organizationId, documentId, editorId }: EditorKey,
): Promise<number[]> {
  const row = await db
    .selectFrom('crdtDeletions')
    .select('clientIds')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('editorId', '=', editorId)
    .executeTakeFirst();
  return row?.clientIds ?? [];
}
