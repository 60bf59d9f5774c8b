import type { Db } from '../../db/tables.ts';
import type { Event, WebhookEventName } from '../../events/event-catalog.ts';
import type { Fields } from '../../lib/json.ts';
import { documentKey, namesOf, organizationKey, settingsOn } from '../../store/webhooks/event-facts.ts';
import { isCommentEvent } from '../catalog/comment-events.ts';
import { allowedFieldsOf, BASIC_ALLOWED_FIELDS, messageBody } from '../catalog/message-body.ts';
import { pickFields } from '../catalog/pick-fields.ts';
import { isWebhookEvent, webhookEvents } from '../catalog/webhook-catalog.ts';
import { concernedPeople, notificationsConfigOf } from './concerned-people.ts';
import { type CommentEvent, commentData, placeMetadata } from './event-data.ts';
import { orderKeyOf } from './order-key.ts';

/** Excludes events for live clients alone. */
type WebhookSourceEvent = Extract<Event, { name: WebhookEventName }>;
type EditorEvent = Extract<Event, { name: 'crdt.update_data' }>;

/** An event as the messages that endpoints receive, before any format. */
export interface ComposedMessage {
  event: Event;
  type: WebhookEventName;
  organizationId: string | null;
  documentId: string | null;
  /** Messages with the same key are delivered to an endpoint one after the other. */
  orderKey: string | null;
  /** JSON for advanced endpoints. */
  body: string;
  /** JSON for basic endpoints; null if they do not receive the event. */
  basicBody: string | null;
  /** The trigger that must be on in the basic configuration. */
  basicTrigger: string | null;
}

/**
 * Composes messages for events of any tenants, in order. Events that no kind of endpoint in `kinds` receives are left
 * out. The rows that bodies need are read for all events at once.
 */
export async function composeMessages(
  db: Db,
  events: readonly Event[],
  kinds: { advanced: boolean; basic: boolean },
): Promise<ComposedMessage[]> {
  const selected = events.filter(
    (event): event is WebhookSourceEvent =>
      isWebhookEvent(event.name) && (kinds.advanced || (kinds.basic && isBasicEvent(event))),
  );
  const facts = await loadFacts(db, selected.filter(isBasicEvent));
  return selected.map((event) => {
    const { organizationId, documentId } = event.payload as { organizationId?: string; documentId?: string };
    return {
      event,
      type: event.name,
      organizationId: organizationId ?? null,
      documentId: documentId ?? null,
      orderKey: orderKeyOf(event),
      ...(isAboutComment(event)
        ? commentBodies(event, facts(event), kinds.basic)
        : isAboutEditor(event)
          ? editorBodies(event, facts(event), kinds.basic)
          : plainBodies(event)),
    };
  });
}

type Bodies = Pick<ComposedMessage, 'body' | 'basicBody' | 'basicTrigger'>;

const isAboutComment = (event: Event): event is CommentEvent => isCommentEvent(event.name);

const isAboutEditor = (event: Event): event is EditorEvent => event.name === 'crdt.update_data';

/** Comment and editor events are enriched with place data and are also sent to basic endpoints. */
const isBasicEvent = (event: Event): event is CommentEvent | EditorEvent =>
  isAboutComment(event) || isAboutEditor(event);

async function loadFacts(db: Db, events: readonly (CommentEvent | EditorEvent)[]) {
  const places = new Map(
    events.map((event) => {
      const { organizationId, documentId } = event.payload;
      const userIds = isAboutComment(event) ? concernedPeople(event.payload) : [];
      return [event.id, { apiKeyId: event.apiKeyId, organizationId, documentId, userIds }];
    }),
  );
  const names = await namesOf(db, [...places.values()]);
  const settings = await settingsOn(db, [...places.values()]);
  return ({ id }: CommentEvent | EditorEvent) => {
    const place = places.get(id)!;
    return {
      document: names.documents.get(documentKey(place)),
      organization: names.organizations.get(organizationKey(place)),
      notificationsConfig: notificationsConfigOf(place.userIds, settings.get(documentKey(place))),
    };
  };
}

type Facts = ReturnType<Awaited<ReturnType<typeof loadFacts>>>;

function commentBodies(event: CommentEvent, facts: Facts, basic: boolean): Bodies {
  const { name: type, id: webhookId, createdAt, payload } = event;
  const changesVisibility = 'visibilityChanged' in payload && payload.visibilityChanged === true;
  const actionType = changesVisibility ? 'accessModeChanged' : webhookEvents[type].actionType;
  const data = commentData(event, facts);
  const body = messageBody(type, { webhookId, createdAt, actionType }, data, facts.notificationsConfig);
  return {
    body: toBoundedJson(body, type, 'advanced'),
    basicBody: basic ? toBoundedJson(basicCommentBody(event, actionType, data, facts), type, 'basic') : null,
    basicTrigger: basic ? type : null,
  };
}

const basicCommentBody = (
  { name, id: webhookId, payload }: CommentEvent,
  actionType: string,
  { metadata, commentAnnotation, targetComment, ...data }: ReturnType<typeof commentData>,
  { notificationsConfig }: Facts,
): Fields => ({
  webhookId,
  actionType,
  notificationSource: 'comment',
  platform: 'sdk',
  metadata,
  commentAnnotation,
  ...(targetComment && { targetComment }),
  ...data,
  ...(name === 'comment_annotation.assign' && { assigned: payload.commentAnnotation.assignedTo ?? null }),
  ...notificationsConfig,
});

function editorBodies(
  { name: type, id: webhookId, apiKeyId, createdAt, payload }: EditorEvent,
  facts: Facts,
  basic: boolean,
): Bodies {
  const { crdtData, actionUser, truncated } = payload;
  const data = {
    crdtData,
    ...(actionUser && { actionUser }),
    metadata: placeMetadata({ apiKeyId, ...payload }, facts),
  };
  const more = truncated ? { truncated } : {};
  const { actionType, source } = webhookEvents[type];
  const flat = { webhookId, actionType, notificationSource: source, platform: 'sdk', ...data, ...more };
  return {
    body: toBoundedJson(messageBody(type, { webhookId, createdAt }, data, more), type, 'advanced'),
    basicBody: basic ? toBoundedJson(flat, type, 'basic') : null,
    basicTrigger: basic ? type : null,
  };
}

function plainBodies({ name: type, id: webhookId, createdAt, payload }: WebhookSourceEvent): Bodies {
  const body = messageBody(type, { webhookId, createdAt }, payload);
  return { body: toBoundedJson(body, type, 'advanced'), basicBody: null, basicTrigger: null };
}

/** Bytes of JSON; receivers commonly refuse more. */
export const MAX_BODY_BYTES = 262_144;

/** Ids are no longer than `text`, so that every id survives truncation. */
const TRUNCATED = { entries: 20, text: 512 };

/** The JSON of a body. A body that is too large is truncated to ids, types, statuses, numbers and times. */
function toBoundedJson(body: Fields, type: WebhookEventName, form: 'advanced' | 'basic'): string {
  const whole = JSON.stringify(body);
  // A character takes at most three bytes, so most bodies need no count of bytes.
  if (whole.length * 3 <= MAX_BODY_BYTES || Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  const allowed = form === 'advanced' ? allowedFieldsOf(type) : BASIC_ALLOWED_FIELDS;
  const { data, ...rest } = pickFields(body, allowed, TRUNCATED) as Fields;
  return JSON.stringify({ ...rest, truncated: true, ...(data !== undefined && { data }) });
}
