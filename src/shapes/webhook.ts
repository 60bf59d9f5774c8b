import { z } from 'zod';
import { withOtherProblems } from './all-problems.ts';
import { callerAssignedId } from './id-fields.ts';
import { named } from './named.ts';

const format = {
  encryptData: z.boolean().describe('Encrypts every body with `publicKey`.'),
  encodeData: z
    .boolean()
    .describe('Sends every body as base64. An encrypted body is encoded after encryption.'),
  publicKey: z
    .string()
    .describe(
      'RSA key of at least 2,048 bits: PEM, or base64 of its SPKI or PKCS#1 form. An empty string removes it.',
    ),
  enableDataProtection: z
    .boolean()
    .describe('Removes texts written by users, and their names, addresses and attachments, from every body.'),
};

export const advancedWebhookConfig = named(
  'AdvancedWebhookConfig',
  z.object({
    isEnabled: z.boolean(),
    ...format,
    publicKey: z.string().describe('Empty if no key is set.'),
  }),
);

export const advancedWebhookConfigChange = z
  .object({
    isEnabled: z.boolean().describe('Must be true in the first request of the API key.'),
    ...format,
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error:
      'At least one of isEnabled, encryptData, encodeData, publicKey or enableDataProtection must be provided.',
  });
export type AdvancedWebhookConfigChange = z.output<typeof advancedWebhookConfigChange>;

const bad = { error: 'Invalid webhook service configuration.' };
const target = z.union([z.literal(''), z.url({ protocol: /^https?$/, ...bad }).max(2_000, bad)], bad);
/** The token is sent in a header, so it must be a valid header value. */
const basicToken = z
  .string(bad)
  .max(1_000, bad)
  .regex(/^[\x21-\x7e]*( +[\x21-\x7e]+)*$/, bad);

const flags = z
  .record(z.string().max(100, bad), z.boolean(bad), bad)
  .refine((triggers) => Object.keys(triggers).length <= 100, bad);

const basicTargets = {
  authToken: basicToken
    .optional()
    .describe('Secret, sent as `authorization: Basic <authToken>`. Returned as `__redacted__`.'),
  rawNotificationUrl: target
    .optional()
    .describe('Address that messages are sent to. An empty string removes it.'),
  processedNotificationUrl: target
    .optional()
    .describe('Second address that messages are sent to. An empty string removes it.'),
};

/** The webhook settings that can be sent when an API key is created. */
export const newKeyWebhookConfig = z.object(basicTargets, bad);

const { encodeData, encryptData, publicKey, enableDataProtection } = format;
export const webhookServiceConfig = z.object(
  {
    ...basicTargets,
    encodeData: z.boolean(bad).optional().describe(encodeData.description!),
    encryptData: z.boolean(bad).optional().describe(encryptData.description!),
    publicKey: z.string(bad).optional().describe(publicKey.description!),
    enableDataProtection: z.boolean(bad).optional().describe(enableDataProtection.description!),
    triggers: flags.optional().describe('Events that are sent, by event name.'),
  },
  bad,
);

export const webhookConfig = named(
  'WebhookConfig',
  z.object({
    useWebhookService: z.boolean(),
    webhookServiceConfig: z.object({
      authToken: z.string().describe('`__redacted__` if one is stored.'),
      rawNotificationUrl: z.string(),
      processedNotificationUrl: z.string(),
      encodeData: z.boolean().optional(),
      encryptData: z.boolean().optional(),
      publicKey: z.string().optional(),
      enableDataProtection: z.boolean().optional(),
      triggers: z.record(z.string(), z.boolean()).optional(),
    }),
  }),
);
export type WebhookConfig = z.infer<typeof webhookConfig>;

export const webhookConfigChange = z
  .object({
    useWebhookService: z.boolean(bad).optional(),
    webhookServiceConfig: webhookServiceConfig.optional(),
  })
  .refine(
    ({ useWebhookService, webhookServiceConfig }) =>
      useWebhookService !== undefined || webhookServiceConfig !== undefined,
    bad,
  );
export type WebhookConfigChange = z.output<typeof webhookConfigChange>;

export const webhookEndpointId = callerAssignedId.describe('Endpoint id, as returned by its creation.');

const mustNotBeEmpty = (all: string) => ({
  error: `must have at least one entry; leave it out, or send null in an update, to get all ${all}`,
});
const MAX_METADATA = 50;

const endpointFields = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be a valid http(s) URL' })
    .max(2_000)
    .describe('Address that messages are posted to.'),
  description: z.string().max(1_000),
  filterTypes: z
    .array(z.string().min(1).max(200))
    .min(1, mustNotBeEmpty('event types'))
    .max(200)
    .describe(
      'Event types to send. Defaults to all types with `sentByDefault`; others are sent only if named here.',
    ),
  channels: z
    .array(z.string().min(1).max(1_100))
    .min(1, mustNotBeEmpty('channels'))
    .max(500)
    .describe(
      'Organization ids whose events are sent, or `organizationId/documentId` for one document. Defaults to all.',
    ),
  disabled: z
    .boolean()
    .describe('If true, nothing is sent. Messages that are missed meanwhile can be replayed.'),
  rateLimit: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .describe('Approximate limit of deliveries per second. Further deliveries wait.'),
  metadata: z
    .record(z.string().min(1).max(100), z.string().max(1_000))
    .refine((metadata) => Object.keys(metadata).length <= MAX_METADATA, {
      error: `must have at most ${MAX_METADATA} entries`,
    })
    .describe("Arbitrary data for the caller's own use."),
};

export const newWebhookEndpoint = z.object({
  url: endpointFields.url,
  description: endpointFields.description.optional(),
  filterTypes: endpointFields.filterTypes.optional(),
  channels: endpointFields.channels.optional(),
  disabled: endpointFields.disabled.default(false),
  rateLimit: endpointFields.rateLimit.optional(),
  uid: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Unique name that the caller assigns. It cannot be changed.'),
  metadata: endpointFields.metadata.optional(),
});

export const webhookEndpointChange = z
  .object({
    endpointId: webhookEndpointId,
    url: endpointFields.url.optional(),
    description: endpointFields.description.nullish(),
    filterTypes: endpointFields.filterTypes.nullish(),
    channels: endpointFields.channels.nullish(),
    disabled: endpointFields.disabled.optional(),
    rateLimit: endpointFields.rateLimit.nullish(),
    metadata: endpointFields.metadata.nullish(),
  })
  .refine(({ endpointId: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    error: 'At least one endpoint field besides endpointId must be provided.',
    ...withOtherProblems,
  });

export const webhookEndpoint = named(
  'WebhookEndpoint',
  z.object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    filterTypes: z.array(z.string()).nullable().describe('Null: all types with `sentByDefault`.'),
    channels: z.array(z.string()).nullable().describe('Null: all organizations and documents.'),
    disabled: z.boolean(),
    disabledReason: z
      .enum(['caller', 'gone', 'failing'])
      .nullable()
      .describe('`gone`: the endpoint returned HTTP 410. `failing`: all deliveries failed for days.'),
    failingSince: z.iso
      .datetime()
      .nullable()
      .describe('Time since which every delivery has failed; null if deliveries succeed.'),
    rateLimit: z.number().nullable(),
    uid: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
);
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** Request fields of lists that are paged in both directions. */
export const twoWayPaging = {
  limit: z.number().int().min(1).max(250).default(50).describe('Maximum number of entries in one response.'),
  iterator: z
    .string()
    .min(1)
    .optional()
    .describe('`iterator` of a previous response for the next page, `prevIterator` for the previous page.'),
};
export const twoWayCursors = {
  iterator: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  prevIterator: z.string().nullable().describe('Cursor of the previous page; null on the first page.'),
  done: z.boolean().describe('True on the last page.'),
};

const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
export const webhookSecret = z
  .string()
  .refine(isSecret, {
    error: `must be whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
  })
  .describe('`whsec_` followed by base64 of 24 to 64 random bytes. Generated by default.');

function isSecret(text: string): boolean {
  const encoded = text.startsWith('whsec_') ? text.slice('whsec_'.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  const fits = bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES;
  return fits && bytes.toString('base64') === encoded;
}
