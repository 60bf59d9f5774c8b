import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { organizationId } from './id-fields.ts';
import { named } from './named.ts';

export const organizationUserGroupId = organizationId.describe('User group id within the organization.');

const groupName = z.string().max(1_000);

export const newUserGroups = z
  .array(
    named(
      'NewUserGroup',
      z.object({
        groupId: organizationUserGroupId,
        groupName: groupName.optional().describe('Defaults to the groupId.'),
      }),
    ),
  )
  .min(1)
  .max(MAX_BATCH);
export type NewUserGroup = z.infer<typeof newUserGroups>[number];

export const userGroup = named(
  'UserGroup',
  z.object({
    organizationUserGroupId: z.string(),
    groupName: z.string(),
    usersCount: z.number().int(),
    createdAt: z.number(),
    lastUpdated: z.number(),
  }),
);
export type UserGroup = z.infer<typeof userGroup>;

/** Results of a batch of group members, keyed by userId. */
export const memberResults = z
  .record(
    z.string(),
    z.object({ success: z.boolean(), organizationUserGroupId: z.string(), message: z.string() }),
  )
  .describe('Keyed by userId.');

export const NO_SUCH_GROUP = 'Organization user group does not exist.';
