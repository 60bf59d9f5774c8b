import { z } from 'zod';

export const audience = z.enum(['ALL', 'MINE', 'NONE']);
export type Audience = z.infer<typeof audience>;

/** Notifications that a user wants on each channel: all, those for the user in particular, or none. */
export const notificationSettings = z
  .object({ inbox: audience.optional(), email: audience.optional(), slack: audience.optional() })
  .catchall(audience)
  .refine((config) => Object.keys(config).length <= 50, { error: 'must have at most 50 channels' })
  .describe('Additional channels of your own are allowed.');
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** Settings of users who never chose: mail only for what is for them in particular. */
export const DEFAULT_SETTINGS = { inbox: 'ALL', email: 'MINE' } as const satisfies NotificationSettings;
