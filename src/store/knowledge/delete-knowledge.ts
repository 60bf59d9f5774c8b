import { sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { knowledgeSourceMissing } from './knowledge-sources.ts';
import { markForDeletion } from './knowledge-trash.ts';

export interface DeletedSource {
  deletedChunks: number;
  deletedRules: number;
  /** Of the file, which is to be deleted now. */
  blobKey: string | undefined;
}

/**
 * Deletes a source with what it holds; of one that shares that with an earlier source, only the source itself. One
 * that is still read, or that others share, stays.
 */
export async function deleteKnowledgeSource(tx: Tx, scope: Scope, sourceId: string): Promise<DeletedSource> {
  const { apiKeyId } = scope;
  const content = await tx
    .selectFrom('knowledgeSources as sources')
    .innerJoin('knowledgeContents as contents', (join) =>
      join
        .onRef('contents.apiKeyId', '=', 'sources.apiKeyId')
        .onRef('contents.contentId', '=', 'sources.contentId'),
    )
    .select(['contents.contentId', 'status', 'ruleCount', 'chunkCount', 'blobKey'])
    .select('sources.dedupOf')
    .where('sources.apiKeyId', '=', apiKeyId)
    .where('sources.sourceId', '=', sourceId)
    .forUpdate('contents')
    .executeTakeFirst();
  if (!content) throw knowledgeSourceMissing(sourceId);
  if (content.status === 'processing') {
    throw new ApiError('ABORTED', 'The source is still being processed. Delete it once that has ended.', {
      retryAfterSeconds: 5,
    });
  }
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from knowledge_sources where api_key_id = ${apiKeyId}
      and content_id = ${content.contentId} and source_id <> ${sourceId}`.execute(tx);
  const dependentCount = rows[0]!.many;
  if (content.dedupOf === null && dependentCount > 0) {
    throw new ApiError(
      'ABORTED',
      `${dependentCount === 1 ? 'Another source shares' : `${dependentCount} other sources share`} what this one holds. Delete ${dependentCount === 1 ? 'it' : 'them'} first.`,
      { details: { dependentCount } },
    );
  }
  const { numDeletedRows } = await tx
    .deleteFrom('knowledgeSources')
    .where('apiKeyId', '=', apiKeyId)
    .where('sourceId', '=', sourceId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw knowledgeSourceMissing(sourceId);
  if (dependentCount > 0) return { deletedChunks: 0, deletedRules: 0, blobKey: undefined };
  await deleteContents(tx, scope, [content.contentId]);
  return {
    deletedChunks: content.chunkCount,
    deletedRules: content.ruleCount,
    blobKey: content.blobKey,
  };
}

/** Deletes contents that no source refers to; their files are thrown away. */
async function deleteContents(tx: Tx, scope: Scope, contentIds: readonly string[]): Promise<void> {
  const gone = await tx
    .deleteFrom('knowledgeContents')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('contentId', 'in', contentIds)
    .returning('blobKey')
    .execute();
  await markForDeletion(
    tx,
    scope,
    gone.map(({ blobKey }) => blobKey),
    Date.now(),
  );
}

/**
 * Deletes the sources of organizations, or of some documents of one, as those go. What sources of other places share
 * with them stays with the oldest of these.
 */
export async function deleteKnowledgeOf(
  tx: Tx,
  scope: Scope,
  organizationIds: readonly string[],
  documentIds?: readonly string[],
): Promise<void> {
  const { apiKeyId } = scope;
  const there = condition`api_key_id = ${apiKeyId}
    and organization_id = any(cast(${[...organizationIds]} as text[]))
    ${documentIds ? sql`and document_id = any(cast(${[...documentIds]} as text[]))` : sql``}`;
  const { rows: uploads } = await sql<{ blobKey: string | null; ingestedAt: number | null }>`
    delete from knowledge_uploads where ${there} returning blob_key, ingested_at`.execute(tx);
  const unused = uploads.flatMap(({ blobKey, ingestedAt }) =>
    blobKey !== null && ingestedAt === null ? [blobKey] : [],
  );
  await markForDeletion(tx, scope, unused, Date.now());

  // Held first, so that no new source comes to share what goes.
  const { rows: held } = await sql<{ contentId: string }>`
    select content_id from knowledge_contents where api_key_id = ${apiKeyId}
      and content_id in (select content_id from knowledge_sources where ${there})
    order by content_id for update`.execute(tx);
  if (held.length === 0) return;
  await sql`delete from knowledge_sources where ${there}`.execute(tx);
  const contentIds = held.map(({ contentId }) => contentId);
  const left = await tx
    .selectFrom('knowledgeSources')
    .select(['contentId', 'sourceId', 'dedupOf'])
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', 'in', contentIds)
    .orderBy('uploadedAt')
    .orderBy('sourceId')
    .execute();
  const byContent = Map.groupBy(left, ({ contentId }) => contentId);
  for (const [contentId, sources] of byContent) {
    if (sources.some(({ dedupOf }) => dedupOf === null)) continue;
    const first = sources[0]!.sourceId;
    await sql`update knowledge_sources set dedup_of = nullif(${first}, source_id)
      where api_key_id = ${apiKeyId} and content_id = ${contentId}`.execute(tx);
  }
  const orphans = contentIds.filter((contentId) => !byContent.has(contentId));
  if (orphans.length > 0) await deleteContents(tx, scope, orphans);
}
