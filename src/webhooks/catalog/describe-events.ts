import { z } from 'zod';
import { bodySchema, sampleBody } from '../compose/body.ts';
import { type WebhookEventType, webhookEvents } from './webhook-catalog.ts';

/** An event as the catalogue shows it. */
export interface DescribedEvent {
  eventType: WebhookEventType;
  description: string;
  source: string;
  /** Whether an endpoint gets it without naming it. */
  sentByDefault: boolean;
  schema: Record<string, unknown>;
  sample: Record<string, unknown>;
}

const SAMPLE = { webhookId: 'evt_0Lq2Wd7Kx9Rt5Yb3Nh8M', createdAt: 1_767_260_000_000 };

const described = new Map<WebhookEventType, DescribedEvent>();

/** What an event is about, its messages as JSON Schema, and an example of one. */
export function describeEvent(eventType: WebhookEventType): DescribedEvent {
  const known = described.get(eventType);
  if (known) return known;
  const { description, source, optIn } = webhookEvents[eventType];
  const event = {
    eventType,
    description,
    source,
    sentByDefault: !optIn,
    // As input, since a receiver should bear fields that are added later.
    schema: z.toJSONSchema(bodySchema(eventType), { io: 'input' }) as Record<string, unknown>,
    sample: sampleBody(eventType, SAMPLE),
  };
  described.set(eventType, event);
  return event;
}

export const allEventTypes = Object.keys(webhookEvents) as WebhookEventType[];
