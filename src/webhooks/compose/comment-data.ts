import type { Event } from '../../events/event-catalog.ts';
import type { CommentEventType } from '../catalog/comment-events.ts';
import { type NamedPlace, placeMetadata } from './place-metadata.ts';

export type CommentEvent = Extract<Event, { name: CommentEventType }>;

/** What a webhook says of an annotation or comment. */
export function commentData({ name, apiKeyId, payload }: CommentEvent, place: NamedPlace) {
  const { commentAnnotation, targetComment, actionUser } = payload;
  const { pageInfo, locationId, location } = commentAnnotation;
  return {
    commentAnnotation,
    ...(targetComment && { targetComment }),
    ...(actionUser && { actionUser }),
    metadata: {
      ...placeMetadata({ apiKeyId, ...payload }, place),
      ...(isRecord(pageInfo) && { pageInfo }),
      ...(locationId !== undefined && { locationId }),
      ...(isRecord(location) && { location }),
    },
    ...(name === 'comment_annotation.status_change' && {
      oldStatus: payload.oldStatus,
      newStatus: payload.newStatus,
    }),
    ...(name === 'comment_annotation.priority_change' && { newPriority: payload.newPriority }),
    ...(payload.visibility && { visibility: readersOnly(payload.visibility) }),
  };
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

const readersOnly = ({ type, userIds, organizationIds, organizationId }: Record<string, unknown>) => ({
  type,
  ...(userIds !== undefined && { userIds }),
  ...(organizationIds !== undefined && { organizationIds }),
  ...(organizationId !== undefined && { organizationId }),
});
