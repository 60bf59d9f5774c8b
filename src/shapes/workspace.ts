import { z } from 'zod';
import { readDomain, tooBroad } from '../lib/allowed-domain.ts';
import { named } from './named.ts';

export const apiKey = named(
  'ApiKey',
  z.object({
    apiKeyName: z.string(),
    id: z.string(),
    type: z.enum(['testing', 'production']),
  }),
);
export type ApiKey = z.infer<typeof apiKey>;

const countedAt = z
  .number()
  .nullable()
  .describe('Time of the last count, in epoch milliseconds; null before the first count.');

export const storageUsage = named(
  'StorageUsage',
  z.object({
    id: z.string(),
    apiKeyName: z.string(),
    storedBytes: z
      .number()
      .describe('Total bytes stored by the API key: the sum of databaseBytes, fileBytes and addedBytes.'),
    databaseBytes: z.number().describe('Database rows, including live documents, at the last count.'),
    fileBytes: z.number().describe('Screenshots and uploads, at the last count.'),
    addedBytes: z
      .number()
      .describe('Bytes written since the last count. Tracked only if the service has a quota.'),
    countedAt,
    maxStoredBytes: z.number().nullable().describe('Quota of the API key; null if there is none.'),
  }),
);

export const workspaceUsage = z
  .object({ storedBytes: z.number().describe('Bytes stored at the last count.'), countedAt })
  .describe(
    'What the workspace itself stores: its members and invitations, and the entries of its audit log without an API key.',
  );

/** The name of a workspace or of its owner, as people see it. */
export const shownName = z.string().max(200).regex(/\S/, { error: 'must not be empty' });

export const workspace = named(
  'Workspace',
  z.object({
    id: z.string(),
    name: z.string(),
    owner: z.object({ email: z.string(), id: z.string(), name: z.string(), avatar: z.string() }),
    authToken: z.string().describe('Secret that authenticates workspace-level requests.'),
    apiKeyList: z.record(z.string(), apiKey).describe('Keyed by API key id.'),
  }),
);
export type Workspace = z.infer<typeof workspace>;

export const apiKeyToken = named(
  'ApiKeyToken',
  z.object({
    token: z.string().describe('Secret that authenticates requests of the API key.'),
    name: z.string(),
    domains: z.array(z.string()),
  }),
);

export const DEFAULT_TOKEN_NAME = 'Default Auth Token';

export const apiKeyName = z.string().max(200).regex(/\S/, { error: 'must not be empty' });

/** A domain by the rules of earlier versions, which allowed wider ones, so that it can be removed. */
const storedDomain = z
  .string()
  .max(300)
  .transform((text, context) => {
    const domain = readDomain(text);
    if (domain === undefined) context.addIssue({ code: 'custom', message: 'must be a domain' });
    return domain ?? z.NEVER;
  })
  .describe(
    '`example.com`, `*.example.com` or a URL. A leading `www.` and the path are dropped. Results omit the scheme, but it still applies: only pages of that scheme are allowed, and if a port is given, only pages on that port.',
  );

const domain = storedDomain.superRefine((text, context) => {
  const message = tooBroad(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

export const domains = z.array(domain).min(1).max(100);
export const storedDomains = z.array(storedDomain).min(1).max(100);
