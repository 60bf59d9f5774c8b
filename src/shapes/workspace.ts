import { z } from 'zod';
import { readDomain, tooWide } from '../lib/allowed-domain.ts';

export const apiKey = z.object({
  apiKeyName: z.string(),
  id: z.string(),
  type: z.enum(['testing', 'production']),
});
export type ApiKey = z.infer<typeof apiKey>;

export const storageUsage = z.object({
  id: z.string(),
  apiKeyName: z.string(),
  storedBytes: z.number().describe('What the API key stores: all of the following together.'),
  databaseBytes: z.number().describe('Rows of the database, live documents among them, as counted last.'),
  fileBytes: z.number().describe('Screenshots and uploads, as counted last.'),
  addedBytes: z.number().describe('What was written since that count, where the service has a bound.'),
  countedAt: z.number().nullable().describe('When the last count was made; null before the first one.'),
  maxStoredBytes: z.number().nullable().describe('What the API key may store; null where there is no bound.'),
});

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

export const apiKeyName = z.string().max(200).regex(/\S/, { error: 'must not be empty' });

/** Any domain, as wide as earlier versions took it, so that it can be removed. */
const storedDomain = z
  .string()
  .max(300)
  .transform((text, context) => {
    const domain = readDomain(text);
    if (domain === undefined) context.addIssue({ code: 'custom', message: 'must be a domain' });
    return domain ?? z.NEVER;
  })
  .describe(
    '`example.com`, `*.example.com` or a URL. Its `www.` and path are dropped. Answers leave out the scheme, which counts all the same: only pages of that scheme are allowed, and with a port only those at that port.',
  );

const domain = storedDomain.superRefine((text, context) => {
  const message = tooWide(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

export const domains = z.array(domain).min(1).max(100);
export const storedDomains = z.array(storedDomain).min(1).max(100);
