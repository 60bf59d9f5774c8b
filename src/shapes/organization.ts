import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { organizationId } from './id-fields.ts';
import { named } from './named.ts';

/** Default organization of operations in which `organizationId` is optional. */
export const NO_ORGANIZATION = 'default';

const organizationName = z.string().max(1_000).describe('Defaults to the organizationId.');

/** New organizations. Additional fields of the caller are stored and returned. */
export const newOrganizations = z
  .array(
    named(
      'NewOrganization',
      z.looseObject({ organizationId, organizationName: organizationName.optional() }),
    ),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Additional fields of each entry are stored as metadata.');
export type NewOrganization = z.infer<typeof newOrganizations>[number];

export const organization = named(
  'Organization',
  z.looseObject({
    id: z.string(),
    organizationName: z.string(),
    disabled: z.boolean(),
  }),
);
export type Organization = z.infer<typeof organization>;
