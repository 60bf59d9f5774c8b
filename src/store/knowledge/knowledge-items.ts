import { sql } from 'kysely';
import { anyOf, json } from '../../db/sql-fragments.ts';
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

/** Inserts items of a content; they are embedded later. */
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

/** Items of a content without vectors of a model, after an id and in order of ids. */
export async function listWithoutVectors(
  db: Db,
  { apiKeyId, contentId }: Ref,
  model: string,
  after: string,
  limit: number,
): Promise<ItemText[]> {
  return await db
    .selectFrom('knowledgeItems as items')
    .select(['items.itemId', 'items.heading', 'items.text'])
    .where('items.apiKeyId', '=', apiKeyId)
    .where('items.contentId', '=', contentId)
    .where('items.itemId', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('knowledgeVectors as vectors')
            .select('vectors.itemId')
            .whereRef('vectors.apiKeyId', '=', 'items.apiKeyId')
            .whereRef('vectors.contentId', '=', 'items.contentId')
            .whereRef('vectors.itemId', '=', 'items.itemId')
            .where('vectors.model', '=', model),
        ),
      ),
    )
    .orderBy('items.itemId')
    .limit(limit)
    .execute();
}

/** Replaces the vectors of items; items deleted meanwhile are skipped. */
export async function writeVectors(
  tx: Tx,
  { apiKeyId, contentId }: Ref,
  model: string,
  vectors: readonly { itemId: string; windows: readonly Float32Array[] }[],
): Promise<void> {
  const ids = vectors.map(({ itemId }) => itemId);
  const present = await tx
    .selectFrom('knowledgeItems')
    .select(['itemId', 'kind'])
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', contentId)
    .where('itemId', '=', anyOf(ids))
    .orderBy('itemId')
    .forKeyShare()
    .execute();
  const kinds = new Map(present.map(({ itemId, kind }) => [itemId, kind]));
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
  await tx
    .deleteFrom('knowledgeVectors')
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', contentId)
    .where('itemId', '=', anyOf(ids))
    .execute();
  if (rows.length === 0) return;
  await sql`
    insert into knowledge_vectors (api_key_id, content_id, item_id, window_index, kind, model, embedding)
    select ${apiKeyId}, ${contentId}, item_id, window_index, kind, ${model}, embedding
    from unnest(cast(${rows.map((row) => row.itemId)} as text[]), cast(${rows.map((row) => row.at)} as smallint[]),
      cast(${rows.map((row) => row.kind)} as text[]), cast(${rows.map((row) => row.embedding)} as bytea[]))
      as item(item_id, window_index, kind, embedding)`.execute(tx);
}

export interface StoredRule {
  id: string;
  content: string;
  category: string | null;
  index: number;
}

/** The rules of a content, in file order. */
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

/** A new version of a content's rules. */
export interface RuleChange {
  markdown: string;
  /** Version that the change is based on. */
  fromVersion: number;
  kept: readonly { itemId: string; position: number; heading: string | null }[];
  removedIds: readonly string[];
  added: readonly NewItem[];
}

/** Writes changed rules as a new version; false if a concurrent change came first. */
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
      // New rules must be embedded: the content is queued like one with vectors of another model.
      ...(change.added.length > 0 && { embeddedWith: '', heldBy: '', dueAt: 0, attempts: 0 }),
      updatedAt: Date.now(),
    })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('contentId', '=', contentId)
    .where('status', '=', 'completed')
    .where('version', '=', change.fromVersion)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx
    .deleteFrom('knowledgeItems')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('contentId', '=', contentId)
    .where('itemId', '=', anyOf(change.removedIds))
    .execute();
  await sql`
    update knowledge_items as items set position = item.position, heading = item.heading
    from jsonb_to_recordset(${json(change.kept)}) as item("itemId" text, position integer, heading text)
    where items.api_key_id = ${scope.apiKeyId} and items.content_id = ${contentId}
      and items.item_id = item."itemId"`.execute(tx);
  await writeItems(tx, ref, change.added);
  return true;
}
