import { HEAD } from './operations.ts';
import { docComment, printTypes, type Schema } from './print-schemas.ts';

interface DescribedEvent {
  eventType: string;
  description: string;
  /** JSON Schema of a message. */
  schema: Record<string, unknown>;
}

/** `webhook-messages.ts`: the messages of webhooks. */
export function printWebhookMessages(events: readonly DescribedEvent[]): string {
  const printer = printTypes({});
  const entries = events.map(
    ({ eventType, description, schema }) =>
      `${docComment(description, '  ')}  '${eventType}': ${printer.type(schema as Schema, '  ')};\n`,
  );
  return `${HEAD}/** The messages of webhooks, by event. Text is absent if the message is protected or truncated. */
export interface WebhookMessages {
${entries.join('')}}

export type WebhookEventName = keyof WebhookMessages;

/** A message, told apart by \`event\`. Later versions of the service may send others. */
export type WebhookMessage = WebhookMessages[WebhookEventName];
`;
}
