import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MemoryPlace } from '../../shapes/memory/judgment.ts';

/** A part of what a source holds. */
export interface KnowledgeItem {
  contentId: string;
  itemId: string;
  kind: 'chunk' | 'rule';
  heading: string | null;
  text: string;
  /** Cosine distance, 0 to 2; undefined where nothing was compared. */
  distance: number | undefined;
}

/** A source as a search knows it. */
export interface SearchedSource {
  sourceId: string;
  fileName: string;
  contentId: string;
  uploadedAt: number;
  /** How many parts and rules it holds. */
  itemCount: number;
}

/** Which items are searched. */
export interface Searched {
  contentIds: readonly string[];
  kinds: readonly ('chunk' | 'rule')[];
  limit: number;
}

/** No more sources than these are searched at once, the newest. */
const MAX_SOURCES = 5_000;

/**
 * The sources that count for a search, newest first: those named, or those of a place with those of what is around
 * it. Without either, all of the key.
 */
export async function listSearchedSources(
  db: Db,
  { apiKeyId }: Scope,
  { sourceIds, place }: { sourceIds?: readonly string[] | undefined; place?: MemoryPlace | undefined },
): Promise<SearchedSource[]> {
  let query = db
    .selectFrom('knowledgeSources')
    .innerJoin('knowledgeContents as contents', (join) =>
      join
        .onRef('contents.apiKeyId', '=', 'knowledgeSources.apiKeyId')
        .onRef('contents.contentId', '=', 'knowledgeSources.contentId')
        .on('contents.status', '=', 'completed'),
    )
    .select(['sourceId', 'fileName', 'contents.contentId', 'uploadedAt'])
    .select((eb) => eb('ruleCount', '+', eb.ref('chunkCount')).as('itemCount'))
    .where('knowledgeSources.apiKeyId', '=', apiKeyId);
  if (sourceIds) query = query.where('sourceId', 'in', [...new Set(sourceIds)]);
  if (place) {
    const { organizationId = '', documentId = '' } = place;
    query = query
      .where('organizationId', 'in', ['', organizationId])
      .where('documentId', 'in', ['', documentId]);
  }
  return await query.orderBy('uploadedAt', 'desc').orderBy('sourceId', 'desc').limit(MAX_SOURCES).execute();
}

const searched = (
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { contentIds, kinds }: Omit<Searched, 'limit'>,
  table: 'items' | 'vectors' = 'items',
): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`${column('api_key_id')} = ${apiKeyId}
    and ${column('content_id')} = any(cast(${[...contentIds]} as text[]))
    and ${column('kind')} = any(cast(${[...kinds]} as text[]))`;
};

const shown = sql`items.content_id, items.item_id, items.kind, items.heading, items.text`;

/** How far an item is from what is asked for. */
export interface Distance {
  contentId: string;
  itemId: string;
  /** Cosine distance of the nearest window, 0 to 2. */
  distance: number;
}

export interface ItemWindow {
  contentId: string;
  itemId: string;
  windowIndex: number;
  /** As `directionOf` writes it. */
  direction: Uint8Array;
}

/** The vectors of a model that searched items have, behind one of them. */
export async function listItemWindows(
  db: Db,
  wanted: Omit<Searched, 'limit'> & { apiKeyId: string; model: string },
  after: ItemWindow | undefined,
  limit: number,
): Promise<ItemWindow[]> {
  const behind = after
    ? sql`and (vectors.content_id, vectors.item_id, vectors.window_index)
        > (${after.contentId}, ${after.itemId}, cast(${after.windowIndex} as smallint))`
    : sql``;
  const { rows } = await sql<ItemWindow>`
    select vectors.content_id, vectors.item_id, vectors.window_index, vectors.embedding as direction
    from knowledge_vectors as vectors
    where ${searched(wanted, wanted, 'vectors')} and vectors.model = ${wanted.model} ${behind}
    order by vectors.content_id, vectors.item_id, vectors.window_index limit ${limit}`.execute(db);
  return rows;
}

/** Items with their distances, nearest first; those that went meanwhile are missing. */
export async function itemsAt(
  db: Db,
  { apiKeyId }: Scope,
  distances: readonly Distance[],
): Promise<KnowledgeItem[]> {
  const { rows } = await sql<KnowledgeItem>`
    select ${shown}, near.distance
    from unnest(cast(${distances.map(({ contentId }) => contentId)} as text[]),
        cast(${distances.map(({ itemId }) => itemId)} as text[]),
        cast(${distances.map(({ distance }) => distance)} as double precision[])) as near(content_id, item_id, distance)
      join knowledge_items as items on items.api_key_id = ${apiKeyId}
        and items.content_id = near.content_id and items.item_id = near.item_id
    order by near.distance, items.item_id`.execute(db);
  return rows;
}

/** The items that hold most of some words, see `wordsOf`. */
export async function listItemsWithWords(
  db: Db,
  scope: Scope,
  { words, ...wanted }: Searched & { words: readonly string[] },
): Promise<KnowledgeItem[]> {
  if (words.length === 0) return [];
  const any = words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}'`).join(' | ');
  const { rows } = await sql<KnowledgeItem>`
    select ${shown} from knowledge_items as items
    where ${searched(scope, wanted)} and items.words @@ cast(${any} as tsquery)
    order by ts_rank(items.words, cast(${any} as tsquery)) desc, items.item_id
    limit ${wanted.limit}`.execute(db);
  return rows.map((row) => ({ ...row, distance: undefined }));
}

/** Items by the order of their contents and of the file; only those without vectors of a model, where one is named. */
export async function listItemsInOrder(
  db: Db,
  scope: Scope,
  { withoutModel, ...wanted }: Searched & { withoutModel?: string | undefined },
): Promise<KnowledgeItem[]> {
  const { rows } = await sql<KnowledgeItem>`
    select ${shown}
    from unnest(cast(${[...wanted.contentIds]} as text[])) with ordinality as contents (content_id, place)
      join knowledge_items as items on items.content_id = contents.content_id and ${searched(scope, wanted)}
    ${
      withoutModel === undefined
        ? sql``
        : sql`join knowledge_contents as of_model on of_model.api_key_id = items.api_key_id
            and of_model.content_id = items.content_id and of_model.embedded_with <> ${withoutModel}
          where not exists (select from knowledge_vectors as vectors
            where vectors.api_key_id = items.api_key_id and vectors.content_id = items.content_id
              and vectors.item_id = items.item_id and vectors.model = ${withoutModel})`
    }
    order by contents.place, items.kind, items.position limit ${wanted.limit}`.execute(db);
  return rows.map((row) => ({ ...row, distance: undefined }));
}
