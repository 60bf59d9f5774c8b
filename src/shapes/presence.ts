import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { documentId, organizationId, userId } from './id-fields.ts';
import { named } from './named.ts';

const status = z.enum(['online', 'away', 'offline']);

export const presentUsers = z
  .array(
    named(
      'NewPresence',
      z.looseObject({
        userId,
        name: z.string().max(1_000).optional(),
        email: z.string().max(1_000).optional(),
        status: status
          .optional()
          .describe('Defaults to `online` for a new entry, and to the current status otherwise.'),
      }),
    ),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Additional fields of each entry are stored.');
export type PresentUser = z.infer<typeof presentUsers>[number];

export const presence = named(
  'Presence',
  z.looseObject({
    userId: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
    status,
    lastUpdated: z.number().describe('Epoch milliseconds.'),
  }),
);
export type Presence = z.infer<typeof presence>;

export const liveStateDataId = organizationId.describe(
  'Live state id within the document, assigned by the caller.',
);

export const liveState = named(
  'LiveState',
  z.object({
    liveStateDataId: z.string(),
    data: z.record(z.string(), z.unknown()),
    lastUpdated: z.number().describe('Epoch milliseconds.'),
  }),
);
export type LiveState = z.infer<typeof liveState>;

export const done = z.object({ success: z.literal(true) });

/** Presence of users on a document. */
export const presenceOnDocument = z.object({ organizationId, documentId, users: presentUsers }).meta({
  examples: [
    {
      organizationId: 'acme',
      documentId: 'website',
      users: [{ userId: 'eve', name: 'Eve', status: 'online' }],
    },
  ],
});
