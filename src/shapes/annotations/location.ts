import { z } from 'zod';
import { apiKeyId } from '../id-fields.ts';

const locationId = z.string().max(512).regex(/\S/, { error: 'must not be empty' });

/** A location within a document, with the id that the caller assigned. */
export const location = z
  .looseObject({ id: z.union([locationId, z.number().transform(String)]) })
  .describe('Location within the document, with the id that annotations use.');
export type Location = z.infer<typeof location>;

/** Credentials of the API key, for operations that take them in the body. */
export const bodyCredentials = {
  apiKey: apiKeyId,
  authToken: z.string().min(1).max(500).describe('Auth token of the API key.'),
};
