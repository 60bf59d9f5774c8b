import { z } from 'zod';
import type { TokenGrant } from '../lib/scope.ts';
import { callersOwnId, organizationId } from './id-fields.ts';

export const accessRole = z
  .enum(['viewer', 'editor'])
  .describe('`viewer` may read; `editor` may also write.');

/** Unix times of this size and above are milliseconds: as seconds they would lie past the year 5000. */
const MILLISECONDS_FROM = 10 ** 11;

/** Epoch milliseconds of a Unix time that may be in seconds or in milliseconds. */
export const toMilliseconds = (time: number): number => (time >= MILLISECONDS_FROM ? time : time * 1_000);

const expiresAt = z
  .number()
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('Unix seconds after which the grant expires. Values from 10^11 are read as milliseconds.');

const FIELD = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^:]+$/, { error: 'must not hold a colon' });
const MAX_ACCESS_FIELDS = 200;

/** Fields of the caller's own by which notifications find their readers. */
export const accessContext = z
  .object({
    access: z
      .record(FIELD, z.union([z.string().max(500), z.array(z.string().max(500)).max(MAX_ACCESS_FIELDS)]))
      .refine((access) => accessFieldsOf({ access }).length <= MAX_ACCESS_FIELDS, {
        error: `must hold at most ${MAX_ACCESS_FIELDS} values`,
      }),
  })
  .describe('Access values of the user by field, for notifications that are limited to certain values.');

/** `field:value` pairs, as they are stored and compared. */
export const accessFieldsOf = ({ access }: { access: Record<string, string | string[]> }): string[] => [
  ...new Set(
    Object.entries(access).flatMap(([field, values]) => [values].flat().map((value) => `${field}:${value}`)),
  ),
];

const place = {
  type: z.enum(['organization', 'document', 'folder']),
  id: callersOwnId.describe('Id of the resource.'),
  organizationId: organizationId
    .optional()
    .describe('Parent organization. Required for documents and folders.'),
};

const needsOrganization = {
  check: ({ type, organizationId }: { type: string; organizationId?: string | undefined }) =>
    type === 'organization' || organizationId !== undefined,
  problem: { path: ['organizationId'], error: 'is required for a document or a folder' },
};

/** One thing that a user is granted. */
export const resource = z
  .object({
    ...place,
    accessRole: accessRole.optional().describe('Defaults to `editor`.'),
    expiresAt: expiresAt.optional(),
    context: accessContext.optional(),
  })
  .refine(needsOrganization.check, needsOrganization.problem);
export type Resource = z.infer<typeof resource>;

/** One thing that nothing shall be granted on any more. */
export const resourceRef = z.object(place).refine(needsOrganization.check, needsOrganization.problem);
export type ResourceRef = z.infer<typeof resourceRef>;

/** The organization that a resource belongs to; an organization to itself. */
export const organizationOf = ({ type, id, organizationId }: ResourceRef): string =>
  type === 'organization' ? id : organizationId!;

export const toTokenGrant = (granted: Resource): TokenGrant => ({
  type: granted.type,
  id: granted.id,
  organizationId: organizationOf(granted),
  accessRole: granted.accessRole ?? 'editor',
  ...(granted.expiresAt !== undefined && { expiresAt: toMilliseconds(granted.expiresAt) }),
  ...(granted.context && { accessFields: accessFieldsOf(granted.context) }),
});

/** A resource that does not lie in the past when it is granted. */
export const isFuture = ({ expiresAt }: Resource): boolean =>
  expiresAt === undefined || toMilliseconds(expiresAt) > Date.now();
