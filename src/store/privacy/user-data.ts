import { sql } from 'kysely';
import { recordOfComment } from '../../annotations/record.ts';
import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Scope } from '../../lib/scope.ts';

export interface UserRef {
  organizationId: string;
  userId: string;
}

interface Found {
  position: Position;
  record: Record<string, unknown>;
}

/** Comments that a user wrote in an organization, in the order of where they are. */
export async function listCommentsBy(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId }: UserRef,
  after: Position | undefined,
  limit: number,
): Promise<Found[]> {
  let query = db
    .selectFrom('comments')
    .select(['documentId', 'annotationId', 'commentId', 'body', 'createdAt', 'lastUpdated'])
    .where('apiKeyId', '=', apiKeyId)
    .where('authorId', '=', userId)
    .where('organizationId', '=', organizationId);
  if (after) {
    query = query.where(
      sql<boolean>`(document_id, annotation_id, comment_id)
        > (${after[0]}, ${after[1]}, cast(${after[2]} as bigint))`,
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

/** Notifications that name a user in an organization, or that they have read, the oldest first. */
export async function listNotificationsTo(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, userId }: UserRef,
  after: Position | undefined,
  limit: number,
): Promise<Found[]> {
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
    query = query.where(
      sql<boolean>`(recipient.created_at, recipient.notification_id)
        > (cast(${after[0]} as bigint), ${after[1]})`,
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
