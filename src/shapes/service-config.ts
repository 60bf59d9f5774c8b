import { z } from 'zod';
import { named } from './named.ts';

const flags = z
  .record(z.string().max(100), z.boolean())
  .refine((triggers) => Object.keys(triggers).length <= 100, { error: 'must have at most 100 entries' });

/** Comment events, with their default when a service is enabled. */
export const COMMENT_TRIGGERS = {
  'comment_annotation.add': true,
  'comment_annotation.assign': true,
  'comment_annotation.status_change': true,
  'comment_annotation.priority_change': true,
  'comment.add': true,
  'comment.update': true,
  'comment.delete': true,
};
export const SUGGESTION_TRIGGERS = {
  'comment_annotation.suggestion_accept': true,
  'comment_annotation.suggestion_reject': true,
};
export const HUDDLE_TRIGGERS = { 'huddle.create': true, 'huddle.join': true };

export type Triggers = Record<string, boolean>;

const bad = { error: 'Invalid email service configuration.' };
export const EMAIL_TYPES = ['default', 'sendgrid', 'custom'] as const;
export const emailServiceConfig = z.object(
  {
    type: z
      .enum(EMAIL_TYPES, bad)
      .optional()
      .describe("`sendgrid` sends with your API key; the others send through the operator's mail server."),
    apiKey: z.string(bad).max(1_000, bad).optional().describe('Secret. Returned as `__redacted__`.'),
    fromEmail: z
      .union([z.literal(''), z.email(bad)], bad)
      .optional()
      .describe("Sender address with `sendgrid`; reply-to address with the operator's mail server."),
    fromCompany: z.string(bad).max(200, bad).optional().describe('Display name of the sender.'),
    commentTemplateId: z
      .string(bad)
      .max(200, bad)
      .optional()
      .describe('`sendgrid` template for emails about comments.'),
    tagTemplateId: z
      .string(bad)
      .max(200, bad)
      .optional()
      .describe('`sendgrid` template for emails about mentions.'),
    triggers: flags.optional().describe('Events that send an email, by event name.'),
  },
  bad,
);

export const emailConfig = named(
  'EmailConfig',
  z.object({
    useEmailService: z.boolean(),
    emailServiceConfig: z.object({
      type: z.enum(EMAIL_TYPES),
      apiKey: z.string().describe('`__redacted__` if one is stored.'),
      fromEmail: z.string(),
      fromCompany: z.string(),
      commentTemplateId: z.string(),
      tagTemplateId: z.string(),
      triggers: flags.optional(),
    }),
  }),
);
export type EmailConfig = z.infer<typeof emailConfig>;

export const emailConfigChange = z
  .object({ useEmailService: z.boolean().optional(), emailServiceConfig: emailServiceConfig.optional() })
  .refine(
    ({ useEmailService, emailServiceConfig }) =>
      useEmailService !== undefined || emailServiceConfig !== undefined,
    bad,
  );

const batch = {
  isEnabled: z.boolean(),
  batchWindowSeconds: z.number().int().min(10).max(604_800),
  maxActivities: z
    .number()
    .int()
    .min(2)
    .max(50)
    .describe('Once this many notifications are waiting, they are sent without further delay.'),
};
const delay = { isEnabled: z.boolean(), delaySeconds: z.number().int().min(10).max(15_552_000) };
const triggers = z.object({ comment: flags.optional(), huddle: flags.optional() });

export const notificationConfig = named(
  'NotificationConfig',
  z.object({
    useNotificationService: z.boolean(),
    notificationServiceConfig: z.object({
      triggers: triggers.optional().describe('Events that notify users, by event name.'),
      delayConfig: z
        .object(delay)
        .describe('How long an email is delayed, in case the notification is read in the app first.'),
      batchConfig: z
        .object({ document: z.object(batch), user: z.object(batch) })
        .describe('Batches emails to one user, by document or across all documents.'),
    }),
  }),
);
export type NotificationConfig = z.infer<typeof notificationConfig>;

export const notificationConfigChange = z
  .object({
    useNotificationService: z.boolean().optional(),
    notificationServiceConfig: z
      .object({
        triggers: triggers.optional(),
        delayConfig: z.object(delay).partial().optional(),
        batchConfig: z
          .object({ document: z.object(batch).partial(), user: z.object(batch).partial() })
          .partial()
          .optional(),
      })
      .optional(),
  })
  .refine(
    ({ useNotificationService, notificationServiceConfig }) =>
      useNotificationService !== undefined || notificationServiceConfig !== undefined,
    { error: 'At least one of useNotificationService or notificationServiceConfig must be provided' },
  );

const badUrl = { error: 'Please enter a valid URL' };
const providerUrl = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/, ...badUrl }).max(2_000, badUrl)],
  badUrl,
);

export const permissionProviderConfig = named(
  'PermissionProviderConfig',
  z.object({
    usePermissionProvider: z.boolean(),
    permissionProviderConfig: z.object({
      permissionProviderUrl: z.string(),
      authToken: z.string().describe('`__redacted__` if one is stored.'),
    }),
  }),
);
export type PermissionProviderConfig = z.infer<typeof permissionProviderConfig>;

export const permissionProviderConfigChange = z
  .object({
    usePermissionProvider: z.boolean().optional(),
    permissionProviderConfig: z
      .object({
        permissionProviderUrl: providerUrl.optional().describe('An empty string removes it.'),
        authToken: z.string().max(1_000).optional().describe('Secret. Returned as `__redacted__`.'),
      })
      .optional(),
  })
  .refine((data) => data.usePermissionProvider !== undefined || data.permissionProviderConfig !== undefined, {
    error: 'At least one of usePermissionProvider or permissionProviderConfig must be provided',
  });
