import { createHash } from 'node:crypto';
import type { Event } from '../../events/event-catalog.ts';
import { isCommentEvent } from '../catalog/comment-events.ts';
import type { WebhookEventType } from '../catalog/webhook-catalog.ts';

/** Which field besides the organization names the thing that an event is about; null where order does not matter. */
const things = {
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
  message: null,
  endpoint: ['endpointId'],
} as const;

type Kind<Type extends string> = Type extends `${infer Head}.${string}` ? Head : never;
type Thing = Exclude<Kind<WebhookEventType>, 'comment' | 'comment_annotation'>;

/** The same for all events of one thing, and for those alone. */
export function orderKeyOf({ name, payload }: Event): string | null {
  const fields = payload as Record<string, unknown>;
  const { organizationId = null } = fields;
  // Without its document, which may get another id between two changes of the annotation.
  if (isCommentEvent(name)) return keyOf('annotation', organizationId, fields.annotationId);
  if (name === 'user.data_delete') return null;
  const thing = name.split('.', 1)[0] as Thing;
  const ids: readonly string[] | null = things[thing satisfies keyof typeof things];
  return ids && keyOf(thing, organizationId, ...ids.map((id) => fields[id]));
}

/** Short enough for an index, however long the ids are, and without any that could be a person's. */
const keyOf = (thing: string, ...ids: unknown[]): string =>
  `${thing}:${createHash('sha256').update(JSON.stringify(ids)).digest('base64url')}`;
