import { z } from 'zod';

export const audience = z.enum(['ALL', 'MINE', 'NONE']);
export type Audience = z.infer<typeof audience>;

/** Preferences of a user by channel: all notifications, those addressed to the user, or none. */
export const notificationSettings = z
  .object({ inbox: audience.optional(), email: audience.optional(), slack: audience.optional() })
  .catchall(audience)
  .refine((config) => Object.keys(config).length <= 50, { error: 'must have at most 50 channels' })
  .describe('Additional channels of your own are allowed.');
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** Default preferences: email only for notifications that are addressed to the user. */
export const DEFAULT_SETTINGS = { inbox: 'ALL', email: 'MINE' } as const satisfies NotificationSettings;
