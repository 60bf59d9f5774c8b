import { recordOfComment } from '../../annotations/present-annotation.ts';
import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { recordOf } from '../reactions/reaction-rows.ts';

export interface UserRef {
  organizationId: string;
  userId: string;
}

interface ExportedRecord {
  position: Position;
  record: Fields;
}

/** Comments by a user in an organization, in key order. */
export async function listCommentsBy(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId }: UserRef,
  after: Position | undefined,
  limit: number,
): Promise<ExportedRecord[]> {
  let query = db
    .selectFrom('comments')
    .select(['documentId', 'annotationId', 'commentId', 'body', 'createdAt', 'lastUpdated'])
    .where('apiKeyId', '=', apiKeyId)
    .where('authorId', '=', userId)
    .where('organizationId', '=', organizationId);
  if (after) {
    const [documentId, annotationId, commentId] = after;
    query = query.where((eb) =>
      eb(
        eb.refTuple('documentId', 'annotationId', 'commentId'),
        '>',
        eb.tuple(String(documentId), String(annotationId), Number(commentId)),
      ),
    );
  }
  const rows = await query
    .orderBy('documentId')
    .orderBy('annotationId')
    .orderBy('commentId')
    .limit(limit)
    .execute();
  return rows.map(({ documentId, annotationId, ...row }) => ({
    position: [documentId, annotationId, row.commentId],
    record: {
      ...recordOfComment(row),
      annotationId,
      metadata: { apiKey: apiKeyId, organizationId, documentId },
    },
  }));
}

/** Reactions of a user in an organization, in key order. */
export async function listReactionsBy(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId }: UserRef,
  after: Position | undefined,
  limit: number,
): Promise<ExportedRecord[]> {
  let query = db
    .selectFrom('reactions')
    .select(['documentId', 'annotationId', 'commentId', 'reactionId', 'author', 'createdAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', '=', userId)
    .where('organizationId', '=', organizationId);
  if (after) {
    const [documentId, annotationId, commentId, reactionId] = after;
    query = query.where((eb) =>
      eb(
        eb.refTuple('documentId', 'annotationId', 'commentId', 'reactionId'),
        '>',
        eb.tuple(String(documentId), String(annotationId), Number(commentId), String(reactionId)),
      ),
    );
  }
  const rows = await query
    .orderBy('documentId')
    .orderBy('annotationId')
    .orderBy('commentId')
    .orderBy('reactionId')
    .limit(limit)
    .execute();
  return rows.map(({ documentId, annotationId, ...row }) => ({
    position: [documentId, annotationId, row.commentId, row.reactionId],
    record: {
      ...recordOf(row),
      annotationId,
      metadata: { apiKey: apiKeyId, organizationId, documentId },
    },
  }));
}

/** Notifications to a user in an organization, oldest first. */
export async function listNotificationsTo(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId }: UserRef,
  after: Position | undefined,
  limit: number,
): Promise<ExportedRecord[]> {
  let query = db
    .selectFrom('notificationRecipients as recipient')
    .innerJoin('notifications', (join) =>
      join
        .onRef('notifications.apiKeyId', '=', 'recipient.apiKeyId')
        .onRef('notifications.organizationId', '=', 'recipient.organizationId')
        .onRef('notifications.notificationId', '=', 'recipient.notificationId'),
    )
    .select(['recipient.createdAt', 'recipient.notificationId', 'recipient.readAt'])
    .select(['notifications.body', 'notifications.source', 'notifications.documentId'])
    .where('recipient.apiKeyId', '=', apiKeyId)
    .where('recipient.organizationId', '=', organizationId)
    .where('recipient.userId', '=', userId);
  if (after) {
    const [createdAt, notificationId] = after;
    query = query.where((eb) =>
      eb(
        eb.refTuple('recipient.createdAt', 'recipient.notificationId'),
        '>',
        eb.tuple(Number(createdAt), String(notificationId)),
      ),
    );
  }
  const rows = await query
    .orderBy('recipient.createdAt')
    .orderBy('recipient.notificationId')
    .limit(limit)
    .execute();
  return rows.map(({ createdAt, notificationId, readAt, body, source, documentId }) => ({
    position: [createdAt, notificationId],
    record: {
      ...body,
      id: notificationId,
      notificationSource: source,
      timestamp: createdAt,
      readAt,
      metadata: { apiKey: apiKeyId, organizationId, ...(documentId !== null && { documentId }) },
    },
  }));
}
