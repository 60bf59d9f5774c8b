import { z } from 'zod';
import { allEventTypes, bodySchema, describeEvent } from '../../webhooks/catalog/message-body.ts';
import { messageParts } from '../../webhooks/catalog/message-parts.ts';

type Schema = Record<string, unknown>;

const RETRIES =
  'A message is delivered once an answer of 2xx arrives within 15 seconds; redirects are not followed. Otherwise it is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, each wait varied by up to 20 %: eight attempts. `retry-after` can prolong a wait to twice its length. 410 disables the endpoint.';
const REPEATS = 'A message may arrive more than once, always with the same `webhook-id`.';

const header = (name: string, description: string, schema: Schema, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

const WORD = { type: 'string' };

/** The headers of each message, by the name of their component. */
export const webhookParameters: Record<string, Schema> = {
  WebhookId: header(
    'webhook-id',
    'Identifies the message: equal in every attempt and replay.',
    WORD,
    'evt_0Lq2Wd7Kx9Rt5Yb3Nh8M',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, in epoch seconds. Refuse messages that are more than five minutes old.',
    { type: 'string', pattern: '^\\d+$' },
    '1767260000',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One signature, or two while a secret is being rotated, separated by a space: `v1,` and the base64 of an HMAC with SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` (Standard Webhooks). The key is the part of the secret after `whsec_`, decoded from base64.',
    WORD,
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const parameters = Object.keys(webhookParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** `comment_annotation.add` is CommentAnnotationAdd. */
const nameOf = (eventType: string): string =>
  eventType
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The schemas of all messages, which refer to the parts that they share. */
function messageSchemas(): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(messageParts)) registry.add(schema, { id: `Webhook${name}` });
  for (const type of allEventTypes) registry.add(bodySchema(type), { id: `Webhook${nameOf(type)}` });
  const { schemas } = z.toJSONSchema(registry, {
    // The input form allows unknown fields, which later versions may add.
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as Schema]),
  );
}

/** The section `webhooks`: a message for each event of the catalog. Adds their schemas to the components. */
export function describeWebhooks(schemas: Record<string, Schema>): Record<string, Schema> {
  Object.assign(schemas, messageSchemas());
  return Object.fromEntries(
    allEventTypes.map((type) => {
      const { description, sentByDefault, sample } = describeEvent(type);
      const audience = sentByDefault
        ? 'Sent to endpoints without `filterTypes`, and to those that name it.'
        : 'Sent only to endpoints whose `filterTypes` name it.';
      const post = {
        operationId: `webhook${nameOf(type)}`,
        summary: description,
        description: [audience, RETRIES, REPEATS].join('\n\n'),
        security: [],
        parameters,
        requestBody: {
          required: true,
          description: 'In a different form if the configuration of the webhooks encodes or encrypts it.',
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/Webhook${nameOf(type)}` },
              example: sample,
            },
          },
        },
        responses: {
          '2XX': {
            description: 'The message was received. `deliveries/get` shows the beginning of the body.',
          },
          '410': { description: 'The endpoint is gone: it is disabled, and no message is sent again.' },
        },
      };
      return [type, { post }];
    }),
  );
}
