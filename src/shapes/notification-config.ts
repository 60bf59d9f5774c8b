import { z } from 'zod';

export const audience = z.enum(['ALL', 'MINE', 'NONE']);
export type Audience = z.infer<typeof audience>;

/** What a user wants to hear of on each channel: everything, what is for them in particular, nothing. */
export const notificationSettings = z
  .object({ inbox: audience.optional(), email: audience.optional(), slack: audience.optional() })
  .catchall(audience)
  .refine((config) => Object.keys(config).length <= 50, { error: 'must have at most 50 channels' })
  .describe('Channels of your own may be named beside these.');
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** Of users who never chose: a mail for what is not theirs would be more than they asked for. */
export const DEFAULT_SETTINGS = { inbox: 'ALL', email: 'MINE' } as const satisfies NotificationSettings;
