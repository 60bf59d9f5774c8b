import { z } from 'zod';
import type { TokenGrant } from '../lib/scope.ts';
import { callerAssignedId, organizationId } from './id-fields.ts';
import { named } from './named.ts';

export const accessRole = named(
  'AccessRole',
  z.enum(['viewer', 'editor']).describe('`viewer` may read; `editor` may also write.'),
);

/** Times from this value are in milliseconds: in seconds they would be after the year 5000. */
const MILLISECONDS_FROM = 10 ** 11;

/** Converts a Unix time in seconds or milliseconds to milliseconds. */
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
  .regex(/^[^:]+$/, { error: 'must not contain a colon' });
const MAX_ACCESS_FIELDS = 200;

/** Access values of a user, to which notifications can be limited. */
export const accessContext = named(
  'AccessContext',
  z
    .object({
      access: z
        .record(FIELD, z.union([z.string().max(500), z.array(z.string().max(500)).max(MAX_ACCESS_FIELDS)]))
        .refine((access) => accessFieldsOf({ access }).length <= MAX_ACCESS_FIELDS, {
          error: `can have at most ${MAX_ACCESS_FIELDS} values`,
        }),
    })
    .describe('Access values of the user by field, for notifications that are limited to certain values.'),
);

/** `field:value` pairs, the form in which access values are stored and compared. */
export const accessFieldsOf = ({ access }: { access: Record<string, string | string[]> }): string[] => [
  ...new Set(
    Object.entries(access).flatMap(([field, values]) => [values].flat().map((value) => `${field}:${value}`)),
  ),
];

const place = {
  type: z.enum(['organization', 'document', 'folder']),
  id: callerAssignedId.describe('Id of the resource.'),
  organizationId: organizationId
    .optional()
    .describe('Parent organization. Required for documents and folders.'),
};

const needsOrganization = {
  check: ({ type, organizationId }: { type: string; organizationId?: string | undefined }) =>
    type === 'organization' || organizationId !== undefined,
  problem: { path: ['organizationId'], error: 'is required for a document or a folder' },
};

/** A resource to grant, with role and expiry. */
export const resource = named(
  'ResourceGrant',
  z
    .object({
      ...place,
      accessRole: accessRole.optional().describe('Defaults to `editor`.'),
      expiresAt: expiresAt.optional(),
      context: accessContext.optional(),
    })
    .refine(needsOrganization.check, needsOrganization.problem),
);
export type Resource = z.infer<typeof resource>;

/** A resource whose grants are revoked. */
export const resourceRef = named(
  'ResourceRef',
  z.object(place).refine(needsOrganization.check, needsOrganization.problem),
);
export type ResourceRef = z.infer<typeof resourceRef>;

/** The organization of a resource. An organization belongs to itself. */
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

/** True unless the grant has already expired. */
export const isFuture = ({ expiresAt }: Resource): boolean =>
  expiresAt === undefined || toMilliseconds(expiresAt) > Date.now();
