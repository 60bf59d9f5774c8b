import type { Event } from '../../events/event-catalog.ts';
import type { Named, WebhookPlace } from '../../store/webhooks/event-facts.ts';
import type { CommentEventType } from '../catalog/comment-events.ts';

export type CommentEvent = Extract<Event, { name: CommentEventType }>;

/** The document and organization of an event; undefined once they are deleted. */
export interface NamedPlace {
  document: Named | undefined;
  organization: Named | undefined;
}

/** The `metadata` of a message: where the event happened. */
export const placeMetadata = (
  { apiKeyId, organizationId, documentId }: WebhookPlace,
  { document, organization }: NamedPlace,
) => ({
  apiKey: apiKeyId,
  document: { documentId, ...(document && { documentName: document.name }) },
  ...(document && { documentMetadata: document.metadata }),
  organization: { organizationId, ...(organization && { organizationName: organization.name }) },
  ...(organization && { organizationMetadata: organization.metadata }),
});

/** The `data` of a message about an annotation or comment. */
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
    ...('reaction' in payload && { reaction: payload.reaction }),
    ...(payload.visibility && { visibility: pickVisibility(payload.visibility) }),
  };
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

const pickVisibility = ({ type, userIds, organizationIds, organizationId }: Record<string, unknown>) => ({
  type,
  ...(userIds !== undefined && { userIds }),
  ...(organizationIds !== undefined && { organizationIds }),
  ...(organizationId !== undefined && { organizationId }),
});
