import { z } from 'zod';

/** A person, or an agent in the place of one, as records carry them. */
export const user = z.looseObject({
  userId: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
});
export type User = z.infer<typeof user>;
