import { sql } from 'kysely';
import type { KnowledgeTables } from '../../db/tables/knowledge-tables.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Staleness } from '../memory/patterns.ts';

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

/** A source together with what its file holds, its text left out. */
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

/** The newest sources of a key. */
export const listKnowledgeSources = (db: Db, scope: Scope, limit: number): Promise<KnowledgeSource[]> =>
  sources(db, scope)
    .select([...ofSource, ...ofContent])
    .orderBy('knowledgeSources.uploadedAt', 'desc')
    .orderBy('knowledgeSources.sourceId', 'desc')
    .limit(limit)
    .execute();

/** What a source holds as Markdown; undefined where there is none, or none yet. */
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

/** How many sources a key has, in whatever state. */
export async function countKnowledgeSources(db: Db, { apiKeyId }: Scope): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from knowledge_sources where api_key_id = ${apiKeyId}`.execute(db);
  return rows[0]!.many;
}

export type UpdatedSource = Pick<Source, 'sourceId' | 'fileName' | 'organizationId' | 'documentId'> & {
  updatedAt: number;
};

/** The sources whose text came or changed since a moment in epoch milliseconds, the newest first, at most 20. */
export const recentlyUpdatedSources = (db: Db, scope: Scope, sinceMs: number): Promise<UpdatedSource[]> =>
  sources(db, scope)
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
    .limit(20)
    .execute();

/** How many knowledge sources were neither uploaded nor changed since a time. */
export async function staleSources(db: Db, { apiKeyId }: Scope, since: number): Promise<Staleness> {
  const { rows } = await sql<Staleness>`
    select count(*) as total, count(*) filter (where touched_at < cast(${since} as bigint)) as stale,
      (array_agg(source_id order by touched_at, source_id))[1] as oldest
    from (
      select source_id, greatest(uploaded_at, contents.updated_at) as touched_at
      from knowledge_sources as sources join knowledge_contents as contents
        on contents.api_key_id = sources.api_key_id and contents.content_id = sources.content_id
      where sources.api_key_id = ${apiKeyId} and contents.status = 'completed') as known`.execute(db);
  return rows[0]!;
}
