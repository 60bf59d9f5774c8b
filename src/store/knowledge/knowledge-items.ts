import { type RawBuilder, sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { wordsOf } from '../../lib/text/search-words.ts';
import { directionOf } from '../memory/stored-vectors.ts';

export interface NewItem {
  kind: 'chunk' | 'rule';
  position: number;
  heading: string | null;
  text: string;
}
export interface ItemText {
  itemId: string;
  heading: string | null;
  text: string;
}
type Ref = { apiKeyId: string; contentId: string };

/** Writes a few items of a content; their vectors follow. */
export async function writeItems(
  tx: Db,
  { apiKeyId, contentId }: Ref,
  items: readonly NewItem[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map((item) => ({
    ...item,
    itemId: newId(item.kind),
    words: wordsOf(`${item.heading ?? ''}\n${item.text}`),
  }));
  await sql`
    insert into knowledge_items (api_key_id, content_id, item_id, kind, position, heading, text, words)
    select ${apiKeyId}, ${contentId}, item."itemId", item.kind, item.position, item.heading, item.text,
      array_to_tsvector(item.words)
    from jsonb_to_recordset(${json(rows)}) as item("itemId" text, kind text, position integer, heading text,
      text text, words text[])`.execute(tx);
}

export async function deleteItems(db: Db, { apiKeyId, contentId }: Ref): Promise<void> {
  await db
    .deleteFrom('knowledgeItems')
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', contentId)
    .execute();
}

/** Some items of a content behind an id that have no vectors of a model yet, by id. */
export async function listWithoutVectors(
  db: Db,
  { apiKeyId, contentId }: Ref,
  model: string,
  after: string,
  limit: number,
): Promise<ItemText[]> {
  const { rows } = await sql<ItemText>`
    select items.item_id, items.heading, items.text from knowledge_items as items
    where items.api_key_id = ${apiKeyId} and items.content_id = ${contentId} and items.item_id > ${after}
      and not exists (select from knowledge_vectors as vectors
        where vectors.api_key_id = items.api_key_id and vectors.content_id = items.content_id
          and vectors.item_id = items.item_id and vectors.model = ${model})
    order by items.item_id limit ${limit}`.execute(db);
  return rows;
}

/** Gives items vectors of a model in the place of those they have; items that went meanwhile get none. */
export async function writeVectors(
  tx: Tx,
  { apiKeyId, contentId }: Ref,
  model: string,
  vectors: readonly { itemId: string; windows: readonly Float32Array[] }[],
): Promise<void> {
  const ids = vectors.map(({ itemId }) => itemId);
  const { rows: there } = await sql<{ itemId: string; kind: string }>`
    select item_id, kind from knowledge_items where ${ofItems({ apiKeyId, contentId }, ids)}
    order by item_id for key share`.execute(tx);
  const kinds = new Map(there.map(({ itemId, kind }) => [itemId, kind]));
  const rows = vectors
    .filter(({ itemId }) => kinds.has(itemId))
    .flatMap(({ itemId, windows }) =>
      windows.map((window, at) => ({
        itemId,
        at,
        kind: kinds.get(itemId),
        embedding: directionOf(window),
      })),
    );
  await sql`delete from knowledge_vectors where ${ofItems({ apiKeyId, contentId }, ids)}`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    insert into knowledge_vectors (api_key_id, content_id, item_id, window_index, kind, model, embedding)
    select ${apiKeyId}, ${contentId}, item_id, window_index, kind, ${model}, embedding
    from unnest(cast(${rows.map((row) => row.itemId)} as text[]), cast(${rows.map((row) => row.at)} as smallint[]),
      cast(${rows.map((row) => row.kind)} as text[]), cast(${rows.map((row) => row.embedding)} as bytea[]))
      as item(item_id, window_index, kind, embedding)`.execute(tx);
}

const ofItems = ({ apiKeyId, contentId }: Ref, itemIds: readonly string[]): RawBuilder<boolean> =>
  sql`api_key_id = ${apiKeyId} and content_id = ${contentId}
    and item_id = any(cast(${[...itemIds]} as text[]))`;

export interface StoredRule {
  id: string;
  content: string;
  category: string | null;
  index: number;
}

/** The rules of a content, in the order of the file. */
export async function listRules(db: Db, { apiKeyId, contentId }: Ref): Promise<StoredRule[]> {
  const rows = await db
    .selectFrom('knowledgeItems')
    .select(['itemId', 'text', 'heading', 'position'])
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', contentId)
    .where('kind', '=', 'rule')
    .orderBy('position')
    .execute();
  return rows.map(({ itemId, text, heading, position }) => ({
    id: itemId,
    content: text,
    category: heading,
    index: position,
  }));
}

/** What becomes of the rules of a content: which stay and where, which go, which come, with their vectors. */
export interface RuleChange {
  markdown: string;
  /** The version that the change was made from. */
  fromVersion: number;
  kept: readonly { itemId: string; position: number; heading: string | null }[];
  removedIds: readonly string[];
  added: readonly NewItem[];
}

/** Writes changed rules as a new version; false where another change came first. */
export async function changeRules(
  tx: Tx,
  scope: Scope,
  contentId: string,
  change: RuleChange,
): Promise<boolean> {
  const ref = { apiKeyId: scope.apiKeyId, contentId };
  const { numUpdatedRows } = await tx
    .updateTable('knowledgeContents')
    .set({
      markdown: change.markdown,
      version: change.fromVersion + 1,
      ruleCount: change.kept.length + change.added.length,
      // The new rules have no vectors yet: it is taken up as one of another model is.
      ...(change.added.length > 0 && { embeddedWith: '', heldBy: '', dueAt: 0, attempts: 0 }),
      updatedAt: Date.now(),
    })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('contentId', '=', contentId)
    .where('status', '=', 'completed')
    .where('version', '=', change.fromVersion)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await sql`delete from knowledge_items where ${ofItems(ref, change.removedIds)}`.execute(tx);
  await sql`
    update knowledge_items as items set position = item.position, heading = item.heading
    from jsonb_to_recordset(${json(change.kept)}) as item("itemId" text, position integer, heading text)
    where items.api_key_id = ${scope.apiKeyId} and items.content_id = ${contentId}
      and items.item_id = item."itemId"`.execute(tx);
  await writeItems(tx, ref, change.added);
  return true;
}
