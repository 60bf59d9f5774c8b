import type { Event, EventName } from '../../events/event-catalog.ts';
import type { Subscriber } from '../../events/subscriber.ts';
import {
  insertMessages,
  type Listener,
  listenersOf,
  webhookServicesOf,
} from '../../store/webhooks/messages.ts';
import { isWebhookEvent, webhookEvents } from '../catalog/webhook-catalog.ts';
import { advancedSettings, type BasicSettings, basicSettings } from '../settings/stored-settings.ts';
import { type Composed, compose } from './compose-messages.ts';

interface Chosen {
  advanced: boolean;
  basic: BasicSettings;
  listeners: Listener[];
}

/** Writes a message for each event that an endpoint wants, and what is to be delivered to whom. */
export const tellWebhooks: Subscriber = {
  name: 'webhooks',
  events: Object.keys(webhookEvents) as EventName[],
  flags: ['loud'],

  async handle(tx, events) {
    const keys = [...new Set(events.map((event) => event.apiKeyId))].sort();
    const listeners = await listenersOf(tx, keys);
    if (listeners.length === 0) return;
    const services = await webhookServicesOf(tx, keys);
    const chosen = new Map<string, Chosen>(
      keys.map((key) => {
        const { advanced, basic } = services.get(key) ?? {};
        const isOn = { advanced: advancedSettings(advanced).isEnabled, basic: basicSettings(basic) };
        const own = listeners.filter(
          ({ apiKeyId, kind }) =>
            apiKeyId === key && (kind === 'advanced' ? isOn.advanced : isOn.basic.isEnabled),
        );
        return [key, { ...isOn, listeners: own }];
      }),
    );
    const told = events.filter(
      (event) => isWebhookEvent(event.name) && chosen.get(event.apiKeyId)!.listeners.some(hears(event)),
    );
    if (told.length === 0) return;
    const kinds = new Set([...chosen.values()].flatMap((one) => one.listeners.map(({ kind }) => kind)));
    const composed = await compose(tx, told, {
      advanced: kinds.has('advanced'),
      basic: kinds.has('raw') || kinds.has('processed'),
    });
    const messages = composed.map((message) => ({
      apiKeyId: message.event.apiKeyId,
      messageId: message.event.id,
      seq: message.event.seq,
      eventType: message.type,
      organizationId: message.organizationId,
      body: message.body,
      basicBody: message.basicBody,
      orderKey: message.orderKey,
      createdAt: message.event.createdAt,
      deliveries: chosen
        .get(message.event.apiKeyId)!
        .listeners.filter((listener) => wants(listener, chosen.get(message.event.apiKeyId)!.basic, message))
        .map(({ endpointId, disabled }) => ({
          endpointId,
          status: disabled ? ('held' as const) : ('waiting' as const),
        })),
    }));
    await insertMessages(
      tx,
      messages.filter(({ deliveries }) => deliveries.length > 0),
    );
  },
};

/** What can be told from an event's name, before the event is composed. */
const hears =
  ({ name }: Event) =>
  ({ kind, filterTypes }: Listener): boolean =>
    kind !== 'advanced' || takesType(filterTypes, name);

/** Without a filter, an endpoint gets every event but those that are sent on demand. */
const takesType = (filterTypes: string[] | null, type: string): boolean =>
  filterTypes ? filterTypes.includes(type) : isWebhookEvent(type) && !webhookEvents[type].optIn;

/** Whether a message is for an endpoint. */
export function wants(
  { kind, filterTypes, channels }: Pick<Listener, 'kind' | 'filterTypes' | 'channels'>,
  { triggers }: Pick<BasicSettings, 'triggers'>,
  message: Pick<Composed, 'type' | 'organizationId' | 'documentId' | 'basicBody' | 'basicTrigger'>,
): boolean {
  if (kind !== 'advanced') {
    return message.basicBody !== null && triggers[message.basicTrigger ?? ''] === true;
  }
  return takesType(filterTypes, message.type) && isOnChannel(channels, message);
}

/** A channel is an organization, or a document of one; what belongs to no organization is for all. */
function isOnChannel(
  channels: string[] | null,
  { organizationId, documentId }: Pick<Composed, 'organizationId' | 'documentId'>,
): boolean {
  if (!channels || organizationId === null) return true;
  return (
    channels.includes(organizationId) ||
    (documentId !== null && channels.includes(`${organizationId}/${documentId}`))
  );
}
