import type { Db } from '../../db/tables.ts';
import type { Event } from '../../events/event-catalog.ts';
import type { Fields } from '../../lib/json.ts';
import { documentKey, namesOf, organizationKey, settingsOn } from '../../store/webhooks/event-facts.ts';
import { isCommentEvent } from '../catalog/comment-events.ts';
import { isWebhookEvent, type WebhookEventType, webhookEvents } from '../catalog/webhook-catalog.ts';
import { bodyOf } from './body.ts';
import { type CommentEvent, commentData } from './comment-data.ts';
import { notificationsConfigOf, peopleIn } from './load-people.ts';
import { orderKeyOf } from './order-key.ts';
import { placeMetadata } from './place-metadata.ts';
import { bounded } from './truncate-body.ts';

type EditorEvent = Extract<Event, { name: 'crdt.update_data' }>;

/** An event as it is sent, before any format. */
export interface Composed {
  event: Event;
  type: WebhookEventType;
  organizationId: string | null;
  documentId: string | null;
  /** Of two with the same key, the later one waits until the earlier one is over. */
  orderKey: string | null;
  /** JSON for advanced endpoints. */
  body: string;
  /** JSON for the basic ones; null where they do not take the event. */
  basicBody: string | null;
  /** Which trigger of the basic configuration must be on. */
  basicTrigger: string | null;
}

/**
 * Makes messages of events of any tenants, in their order; those that nobody could want are left out. What is
 * joined is read for all of them at once.
 */
export async function compose(
  db: Db,
  events: readonly Event[],
  wanted: { advanced: boolean; basic: boolean },
): Promise<Composed[]> {
  const told = events.filter(
    (event) => isWebhookEvent(event.name) && (wanted.advanced || (wanted.basic && isPlaced(event))),
  );
  const facts = await factsAbout(db, told.filter(isPlaced));
  return told.map((event) => {
    const { organizationId, documentId } = event.payload as { organizationId?: string; documentId?: string };
    return {
      event,
      type: event.name,
      organizationId: organizationId ?? null,
      documentId: documentId ?? null,
      orderKey: orderKeyOf(event),
      ...(isOfComment(event)
        ? ofComment(event, facts(event), wanted.basic)
        : isOfEditor(event)
          ? ofEditor(event, facts(event), wanted.basic)
          : ofOther(event)),
    };
  });
}

type Bodies = Pick<Composed, 'body' | 'basicBody' | 'basicTrigger'>;

const isOfComment = (event: Event): event is CommentEvent => isCommentEvent(event.name);

const isOfEditor = (event: Event): event is EditorEvent => event.name === 'crdt.update_data';

/** Of these, messages say more than their events carry, and basic endpoints take them. */
const isPlaced = (event: Event): event is CommentEvent | EditorEvent =>
  isOfComment(event) || isOfEditor(event);

async function factsAbout(db: Db, events: readonly (CommentEvent | EditorEvent)[]) {
  const places = new Map(
    events.map((event) => {
      const { organizationId, documentId } = event.payload;
      const userIds = isOfComment(event) ? peopleIn(event.payload) : [];
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

type Facts = ReturnType<Awaited<ReturnType<typeof factsAbout>>>;

function ofComment(event: CommentEvent, facts: Facts, basic: boolean): Bodies {
  const { name: type, id: webhookId, createdAt, payload } = event;
  const isOfVisibility = 'visibilityChanged' in payload && payload.visibilityChanged === true;
  const actionType = isOfVisibility ? 'accessModeChanged' : webhookEvents[type].actionType;
  const data = commentData(event, facts);
  const body = bodyOf(type, { webhookId, createdAt, actionType }, data, facts.notificationsConfig);
  return {
    body: bounded(body, type, 'advanced'),
    basicBody: basic ? bounded(flatBody(event, actionType, data, facts), type, 'basic') : null,
    basicTrigger: basic ? type : null,
  };
}

const flatBody = (
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

function ofEditor(
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
    body: bounded(bodyOf(type, { webhookId, createdAt }, data, more), type, 'advanced'),
    basicBody: basic ? bounded(flat, type, 'basic') : null,
    basicTrigger: basic ? type : null,
  };
}

function ofOther({ name: type, id: webhookId, createdAt, payload }: Event): Bodies {
  const body = bodyOf(type, { webhookId, createdAt }, payload);
  return { body: bounded(body, type, 'advanced'), basicBody: null, basicTrigger: null };
}
