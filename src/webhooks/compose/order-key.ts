import { createHash } from 'node:crypto';
import type { Event, EventName } from '../../events/event-catalog.ts';
import { isCommentEvent } from '../catalog/comment-events.ts';

/** Fields that, with the organization, identify the subject of an event; null if order does not matter. */
const subjectFields = {
  organization: [],
  folder: ['folderId'],
  document: ['documentId'],
  user: ['userId'],
  user_group: ['organizationUserGroupId'],
  activity: ['activityId'],
  presence: ['documentId'],
  live_state: ['documentId', 'liveStateDataId'],
  crdt: ['documentId', 'editorId'],
  agent: ['agentId'],
  notification: ['notificationId'],
  memory: ['recordId'],
  agent_execution: null,
  agent_review: null,
  message: null,
  endpoint: ['endpointId'],
} as const;

type Kind<Type extends string> = Type extends `${infer Head}.${string}` ? Head : never;
type Subject = Exclude<Kind<EventName>, 'comment' | 'comment_annotation'>;

/** Equal for events about the same subject, which must be delivered in order; null if order does not matter. */
export function orderKeyOf({ name, payload }: Event): string | null {
  const fields = payload as Record<string, unknown>;
  const { organizationId = null } = fields;
  // The document is left out: its id may change between two changes of the annotation.
  if (isCommentEvent(name)) return keyOf('annotation', organizationId, fields.annotationId);
  if (name === 'user.data_delete') return null;
  const subject = name.split('.', 1)[0] as Subject;
  const ids: readonly string[] | null = subjectFields[subject satisfies keyof typeof subjectFields];
  return ids && keyOf(subject, organizationId, ...ids.map((id) => fields[id]));
}

/** Hashed, so that the key fits an index however long the ids are and contains no personal id. */
const keyOf = (subject: string, ...ids: unknown[]): string =>
  `${subject}:${createHash('sha256').update(JSON.stringify(ids)).digest('base64url')}`;
