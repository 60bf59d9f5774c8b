import { anyOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { knowledgeSourceMissing } from './knowledge-sources.ts';
import { markForDeletion } from './knowledge-trash.ts';

export interface DeletedSource {
  deletedChunks: number;
  deletedRules: number;
  /** Blob key of the file, to be deleted now. */
  blobKey: string | undefined;
}

/**
 * Deletes a source, with its content unless an earlier source shares it. Throws ABORTED for a source that is being
 * processed or that others depend on.
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
  const { dependentCount } = await tx
    .selectFrom('knowledgeSources')
    .select((eb) => eb.fn.countAll<number>().as('dependentCount'))
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', content.contentId)
    .where('sourceId', '<>', sourceId)
    .executeTakeFirstOrThrow();
  if (content.dedupOf === null && dependentCount > 0) {
    throw new ApiError(
      'ABORTED',
      `${dependentCount === 1 ? 'Another source shares' : `${dependentCount} other sources share`} the content of this one. Delete ${dependentCount === 1 ? 'it' : 'them'} first.`,
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

/** Deletes contents without sources, and marks their files for deletion. */
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
 * Deletes the sources of organizations, or of some documents of one, together with them. A content shared with other
 * places stays with its oldest remaining source.
 */
export async function deleteKnowledgeOf(
  tx: Tx,
  scope: Scope,
  organizationIds: readonly string[],
  documentIds?: readonly string[],
): Promise<void> {
  const { apiKeyId } = scope;
  const uploads = await tx
    .deleteFrom('knowledgeUploads')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', anyOf(organizationIds))
    .$if(documentIds !== undefined, (query) => query.where('documentId', '=', anyOf(documentIds ?? [])))
    .returning(['blobKey', 'ingestedAt'])
    .execute();
  const unused = uploads.flatMap(({ blobKey, ingestedAt }) =>
    blobKey !== null && ingestedAt === null ? [blobKey] : [],
  );
  await markForDeletion(tx, scope, unused, Date.now());

  // Locked first, so that no new source comes to share a content that is about to go.
  const locked = await tx
    .selectFrom('knowledgeContents')
    .select('contentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', 'in', (eb) =>
      eb
        .selectFrom('knowledgeSources')
        .select('contentId')
        .where('apiKeyId', '=', apiKeyId)
        .where('organizationId', '=', anyOf(organizationIds))
        .$if(documentIds !== undefined, (query) => query.where('documentId', '=', anyOf(documentIds ?? []))),
    )
    .orderBy('contentId')
    .forUpdate()
    .execute();
  if (locked.length === 0) return;
  await tx
    .deleteFrom('knowledgeSources')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', anyOf(organizationIds))
    .$if(documentIds !== undefined, (query) => query.where('documentId', '=', anyOf(documentIds ?? [])))
    .execute();
  const contentIds = locked.map(({ contentId }) => contentId);
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
    await tx
      .updateTable('knowledgeSources')
      .set((eb) => ({ dedupOf: eb.fn('nullif', [eb.val(first), 'sourceId']) }))
      .where('apiKeyId', '=', apiKeyId)
      .where('contentId', '=', contentId)
      .execute();
  }
  const orphans = contentIds.filter((contentId) => !byContent.has(contentId));
  if (orphans.length > 0) await deleteContents(tx, scope, orphans);
}
