import type { Event, WebhookEventName } from '../../events/event-catalog.ts';
import type { Subscriber } from '../../events/subscriber.ts';
import {
  hasEndpoints,
  insertMessages,
  type Listener,
  listenersOf,
  type NewMessage,
  webhookServicesOf,
} from '../../store/webhooks/messages.ts';
import { isWebhookEvent, webhookEvents } from '../catalog/webhook-catalog.ts';
import { advancedSettings, type BasicSettings, basicSettings } from '../settings/stored-settings.ts';
import { type ComposedMessage, composeMessages } from './compose-messages.ts';

/** The basic settings of an API key, and its endpoints whose service is on. */
interface KeySettings {
  basic: BasicSettings;
  listeners: Listener[];
}

/**
 * Fan-out from the outbox of events: writes one message for each event that an endpoint wants, and one delivery for
 * each such endpoint.
 */
export const fanOutToWebhooks: Subscriber = {
  name: 'webhooks',
  events: Object.keys(webhookEvents) as WebhookEventName[],
  flags: ['loud'],
  where: hasEndpoints,
  turn: 'beside',

  async handle(tx, events) {
    const keys = [...new Set(events.map((event) => event.apiKeyId))].sort();
    const listeners = await listenersOf(tx, keys);
    if (listeners.length === 0) return;
    const services = await webhookServicesOf(tx, keys);
    const settings = new Map<string, KeySettings>(
      keys.map((key) => {
        const stored = services.get(key);
        const advanced = advancedSettings(stored?.advanced);
        const basic = basicSettings(stored?.basic);
        const active = listeners.filter(
          ({ apiKeyId, kind }) =>
            apiKeyId === key && (kind === 'advanced' ? advanced.isEnabled : basic.isEnabled),
        );
        return [key, { basic, listeners: active }];
      }),
    );
    const wanted = events.filter(
      (event) => isWebhookEvent(event.name) && settings.get(event.apiKeyId)!.listeners.some(mayWant(event)),
    );
    if (wanted.length === 0) return;
    const kinds = new Set([...settings.values()].flatMap((own) => own.listeners.map(({ kind }) => kind)));
    const composed = await composeMessages(tx, wanted, {
      advanced: kinds.has('advanced'),
      basic: kinds.has('raw') || kinds.has('processed'),
    });
    const messages = composed.map((message) => toNewMessage(message, settings.get(message.event.apiKeyId)!));
    await insertMessages(
      tx,
      messages.filter(({ deliveries }) => deliveries.length > 0),
    );
  },
};

const toNewMessage = (message: ComposedMessage, { basic, listeners }: KeySettings): NewMessage => ({
  apiKeyId: message.event.apiKeyId,
  messageId: message.event.id,
  seq: message.event.seq,
  eventType: message.type,
  organizationId: message.organizationId,
  body: message.body,
  basicBody: message.basicBody,
  orderKey: message.orderKey,
  createdAt: message.event.createdAt,
  deliveries: listeners
    .filter((listener) => wants(listener, basic, message))
    .map(({ endpointId, disabled }) => ({ endpointId, status: disabled ? 'held' : 'waiting' })),
});

/** A cheap test on the event's name, so that only events that some endpoint may want are composed. */
const mayWant =
  ({ name }: Event) =>
  ({ kind, filterTypes }: Listener): boolean =>
    kind !== 'advanced' || takesType(filterTypes, name);

/** Without a filter, an endpoint gets every event that is not opt-in. */
const takesType = (filterTypes: string[] | null, type: string): boolean =>
  filterTypes ? filterTypes.includes(type) : isWebhookEvent(type) && !webhookEvents[type].optIn;

/** True if the filter, the channels and the triggers of an endpoint let a message through. */
export function wants(
  { kind, filterTypes, channels }: Pick<Listener, 'kind' | 'filterTypes' | 'channels'>,
  { triggers }: Pick<BasicSettings, 'triggers'>,
  message: Pick<ComposedMessage, 'type' | 'organizationId' | 'documentId' | 'basicBody' | 'basicTrigger'>,
): boolean {
  if (kind !== 'advanced') {
    return message.basicBody !== null && triggers[message.basicTrigger ?? ''] === true;
  }
  return takesType(filterTypes, message.type) && isOnChannel(channels, message);
}

/** A channel is an organization id or `organizationId/documentId`. Events without an organization reach all channels. */
function isOnChannel(
  channels: string[] | null,
  { organizationId, documentId }: Pick<ComposedMessage, 'organizationId' | 'documentId'>,
): boolean {
  if (!channels || organizationId === null) return true;
  return (
    channels.includes(organizationId) ||
    (documentId !== null && channels.includes(`${organizationId}/${documentId}`))
  );
}
