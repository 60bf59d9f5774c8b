import { z } from 'zod';

export const apiKey = z.object({ apiKeyName: z.string(), id: z.string(), type: z.enum(['testing', 'production']) });
export type ApiKey = z.infer<typeof apiKey>;

export const workspace = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.object({ email: z.string(), id: z.string(), name: z.string(), avatar: z.string() }),
  authToken: z.string().describe('Secret of workspace-level requests.'),
  apiKeyList: z.record(z.string(), apiKey).describe('By API key id.'),
});
export type Workspace = z.infer<typeof workspace>;

export const apiKeyToken = z.object({
  token: z.string().describe('Secret of API-key-level requests.'),
  name: z.string(),
  domains: z.array(z.string()),
});

export const DEFAULT_TOKEN_NAME = 'Default Auth Token';
