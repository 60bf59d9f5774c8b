import type { Event } from '../events/catalog.ts';
import type { Named } from '../store/webhook-facts.ts';
import type { CommentEventType } from './catalog-comments.ts';

export type CommentEvent = Extract<Event, { name: CommentEventType }>;

export interface CommentPlace {
  document: Named | undefined;
  organization: Named | undefined;
}

/** What a webhook says of an annotation or comment. */
export function commentData(
  { name, apiKeyId, payload }: CommentEvent,
  { document, organization }: CommentPlace,
) {
  const { commentAnnotation, targetComment, actionUser, organizationId, documentId } = payload;
  const { pageInfo, locationId, location } = commentAnnotation;
  return {
    commentAnnotation,
    ...(targetComment && { targetComment }),
    ...(actionUser && { actionUser }),
    metadata: {
      apiKey: apiKeyId,
      document: { documentId, ...(document && { documentName: document.name }) },
      ...(document && { documentMetadata: document.metadata }),
      organization: { organizationId, ...(organization && { organizationName: organization.name }) },
      ...(organization && { organizationMetadata: organization.metadata }),
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
