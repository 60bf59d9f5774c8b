import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { rowOf } from '../../db/sql-fragments.ts';
import type { KnowledgeTables } from '../../db/tables/knowledge-tables.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Staleness, staleness } from '../memory/patterns.ts';

type Content = KnowledgeTables['knowledgeContents'];
type Source = KnowledgeTables['knowledgeSources'];

const ofSource = [
  'knowledgeSources.sourceId',
  'knowledgeSources.contentId',
  'knowledgeSources.organizationId',
  'knowledgeSources.documentId',
  'knowledgeSources.fileName',
  'knowledgeSources.dedupOf',
  'knowledgeSources.uploadedAt',
] as const;
const ofContent = [
  'knowledgeContents.sha256',
  'knowledgeContents.mimeType',
  'knowledgeContents.blobKey',
  'knowledgeContents.status',
  'knowledgeContents.failureReason',
  'knowledgeContents.failureMessage',
  'knowledgeContents.kind',
  'knowledgeContents.version',
  'knowledgeContents.notes',
  'knowledgeContents.ruleCount',
  'knowledgeContents.chunkCount',
  'knowledgeContents.createdAt',
  'knowledgeContents.updatedAt',
] as const;

/** A source with its content, without the text. */
export type KnowledgeSource = Pick<
  Source,
  'sourceId' | 'contentId' | 'organizationId' | 'documentId' | 'fileName' | 'dedupOf' | 'uploadedAt'
> &
  Pick<
    Content,
    | 'sha256'
    | 'mimeType'
    | 'blobKey'
    | 'status'
    | 'failureReason'
    | 'failureMessage'
    | 'kind'
    | 'createdAt'
    | 'updatedAt'
  > & { version: number; notes: string[]; ruleCount: number; chunkCount: number };

const sources = (db: Db, { apiKeyId }: Pick<Scope, 'apiKeyId'>) =>
  db
    .selectFrom('knowledgeSources')
    .innerJoin('knowledgeContents', (join) =>
      join
        .onRef('knowledgeContents.apiKeyId', '=', 'knowledgeSources.apiKeyId')
        .onRef('knowledgeContents.contentId', '=', 'knowledgeSources.contentId'),
    )
    .where('knowledgeSources.apiKeyId', '=', apiKeyId);

export const getKnowledgeSource = (
  db: Db,
  scope: Pick<Scope, 'apiKeyId'>,
  sourceId: string,
): Promise<KnowledgeSource | undefined> =>
  sources(db, scope)
    .select([...ofSource, ...ofContent])
    .where('knowledgeSources.sourceId', '=', sourceId)
    .executeTakeFirst();

export async function requireKnowledgeSource(
  db: Db,
  scope: Scope,
  sourceId: string,
): Promise<KnowledgeSource> {
  const source = await getKnowledgeSource(db, scope, sourceId);
  if (!source) throw knowledgeSourceMissing(sourceId);
  return source;
}

export const knowledgeSourceMissing = (sourceId: string) =>
  notFound(`There is no knowledge source ${sourceId}.`);

/** Sources of an API key, newest first. */
export const listKnowledgeSources = (db: Db, scope: Scope, limit: number): Promise<KnowledgeSource[]> =>
  sources(db, scope)
    .select([...ofSource, ...ofContent])
    .orderBy('knowledgeSources.uploadedAt', 'desc')
    .orderBy('knowledgeSources.sourceId', 'desc')
    .limit(limit)
    .execute();

/** Markdown of a source; undefined until it is completed. */
export async function knowledgeText(
  db: Db,
  scope: Pick<Scope, 'apiKeyId'>,
  sourceId: string,
): Promise<string | undefined> {
  const row = await sources(db, scope)
    .select('knowledgeContents.markdown')
    .where('knowledgeSources.sourceId', '=', sourceId)
    .where('knowledgeContents.status', '=', 'completed')
    .executeTakeFirst();
  return row?.markdown ?? undefined;
}

/** Number of sources of an API key, in any state. */
export async function countKnowledgeSources(db: Db, { apiKeyId }: Scope): Promise<number> {
  const { many } = await db
    .selectFrom('knowledgeSources')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
  return many;
}

export type UpdatedSource = Pick<Source, 'sourceId' | 'fileName' | 'organizationId' | 'documentId'> & {
  updatedAt: number;
};

/** Sources whose text changed since a moment in epoch milliseconds, newest first, at most 20. */
export const recentlyUpdatedSources = (
  db: Db,
  { apiKeyId }: Scope,
  sinceMs: number,
): Promise<UpdatedSource[]> => selectUpdated(db, { apiKeyId, sinceMs });

const selectUpdated = prepared((db, { apiKeyId, sinceMs }: { apiKeyId: string; sinceMs: number }) =>
  sources(db, { apiKeyId })
    .select([
      'knowledgeSources.sourceId',
      'knowledgeSources.fileName',
      'knowledgeSources.organizationId',
      'knowledgeSources.documentId',
      'knowledgeContents.updatedAt',
    ])
    .where('knowledgeContents.status', '=', 'completed')
    .where('knowledgeContents.updatedAt', '>=', sinceMs)
    .orderBy('knowledgeContents.updatedAt', 'desc')
    .limit(20),
);

/** Counts sources that were neither uploaded nor changed since a time. */
export const staleSources = (db: Db, { apiKeyId }: Scope, since: number): Promise<Staleness> =>
  rowOf(
    db,
    staleness,
    sql`select count(*) as total, count(*) filter (where touched_at < cast(${since} as bigint)) as stale,
      (array_agg(source_id order by touched_at, source_id))[1] as oldest
    from (
      select source_id, greatest(uploaded_at, contents.updated_at) as touched_at
      from knowledge_sources as sources join knowledge_contents as contents
        on contents.api_key_id = sources.api_key_id and contents.content_id = sources.content_id
      where sources.api_key_id = ${apiKeyId} and contents.status = 'completed') as known`,
  );
