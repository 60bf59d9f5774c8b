import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MemoryPlace } from '../../shapes/memory/judgment.ts';

/** A chunk or rule of a source. */
export interface KnowledgeItem {
  contentId: string;
  itemId: string;
  kind: 'chunk' | 'rule';
  heading: string | null;
  text: string;
  /** Cosine distance, 0 to 2; undefined if it was not compared. */
  distance: number | undefined;
}

/** A source that a search covers. */
export interface SearchedSource {
  sourceId: string;
  fileName: string;
  contentId: string;
  uploadedAt: number;
  /** Number of chunks and rules. */
  itemCount: number;
}

/** Items that a search covers. */
export interface Searched {
  contentIds: readonly string[];
  kinds: readonly ('chunk' | 'rule')[];
  limit: number;
}

/** Limit of sources per search; the newest are kept. */
const MAX_SOURCES = 5_000;

/**
 * Sources to search, newest first: the named ones, or those of a place and the places around it; by default all of the
 * API key.
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
): RawBuilder<boolean> =>
  sql`items.api_key_id = ${apiKeyId} and items.content_id = any(cast(${[...contentIds]} as text[]))
    and items.kind = any(cast(${[...kinds]} as text[]))`;

const shown = sql`items.content_id, items.item_id, items.kind, items.heading, items.text`;

/** Distance of an item from the query. */
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
  /** In stored form, see `directionOf`. */
  direction: Uint8Array;
}

/** Vectors of a model, after an item window, in key order. */
export async function listItemWindows(
  db: Db,
  wanted: Omit<Searched, 'limit'> & { apiKeyId: string; model: string },
  after: ItemWindow | undefined,
  limit: number,
): Promise<ItemWindow[]> {
  return await db
    .selectFrom('knowledgeVectors as vectors')
    .select(['vectors.contentId', 'vectors.itemId', 'vectors.windowIndex', 'vectors.embedding as direction'])
    .where('vectors.apiKeyId', '=', wanted.apiKeyId)
    .where('vectors.contentId', '=', anyOf(wanted.contentIds))
    .where('vectors.kind', 'in', wanted.kinds)
    .where('vectors.model', '=', wanted.model)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('vectors.contentId', 'vectors.itemId', 'vectors.windowIndex'),
          '>',
          eb.tuple(after!.contentId, after!.itemId, after!.windowIndex),
        ),
      ),
    )
    .orderBy('vectors.contentId')
    .orderBy('vectors.itemId')
    .orderBy('vectors.windowIndex')
    .limit(limit)
    .execute();
}

/** Items by distance, nearest first; deleted items are missing. */
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

/** Items that contain most of the words (see `wordsOf`), best first. */
export async function listItemsWithWords(
  db: Db,
  scope: Scope,
  { words, ...wanted }: Searched & { words: readonly string[] },
): Promise<KnowledgeItem[]> {
  if (words.length === 0) return [];
  const anyWord = sql`cast(${words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}'`).join(' | ')} as tsquery)`;
  const rows = await db
    .selectFrom('knowledgeItems as items')
    .select(['items.contentId', 'items.itemId', 'items.kind', 'items.heading', 'items.text'])
    .where('items.apiKeyId', '=', scope.apiKeyId)
    .where('items.contentId', '=', anyOf(wanted.contentIds))
    .where('items.kind', 'in', wanted.kinds)
    .where(sql.ref('items.words'), '@@', anyWord)
    .orderBy(sql`ts_rank(items.words, ${anyWord})`, 'desc')
    .orderBy('items.itemId')
    .limit(wanted.limit)
    .execute();
  return rows.map((row) => ({ ...row, distance: undefined }));
}

/** Items in order of contents and file; optionally only those without vectors of a model. */
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
