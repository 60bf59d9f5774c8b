import { sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { type AnnotationRef, recordOfComment } from './comments.ts';

/** What the event of a new comment carries, as far as it is known before the annotation is read. */
export const toldOf = (
  { organizationId, documentId, annotationId }: AnnotationRef,
  comment: PreparedComment & { commentId: number },
  byUser: boolean,
): Omit<EventPayload<'comment.add'>, 'commentAnnotation'> => ({
  organizationId,
  documentId,
  annotationId,
  targetComment: recordOfComment(comment),
  actionUser: comment.from,
  loud: byUser || comment.triggerNotification,
  logged: byUser || comment.triggerActivities,
});

/**
 * The rest of it: the annotation's record as `recordOf` makes it of a row, and who may see it. It is made in
 * the statement that writes the comment, from a row that is called `annotation`.
 */
export const annotationRecord = sql`
  jsonb_build_object('commentAnnotation',
    jsonb_build_object('visibilityConfig', jsonb_build_object('type', 'public')) || annotation.body
    || jsonb_build_object('annotationId', annotation.annotation_id,
      'annotationNumber', annotation.annotation_number, 'annotationIndex', annotation.annotation_number,
      'metadata', coalesce(annotation.body -> 'metadata', '{}') || jsonb_build_object(
        'apiKey', annotation.api_key_id, 'organizationId', annotation.organization_id,
        'documentId', annotation.document_id),
      'createdAt', annotation.created_at, 'lastUpdated', annotation.last_updated)
    || case when annotation.location_id is null then '{}' else jsonb_build_object('locationId',
      cast(cast('x' || left(md5(annotation.location_id), 12) as bit(48)) as bigint)) end)
  || case when annotation.visibility is null then '{}' else jsonb_build_object('visibility', annotation.visibility) end`;
