import { z } from 'zod';
import { md5 } from '../lib/ids.ts';
import { type ItemResult, MAX_BATCH } from './batch.ts';
import { documentId, folderId, organizationId, userId } from './id-fields.ts';
import { named } from './named.ts';
import { organizationUserGroupId } from './user-group.ts';

/** A user or an agent in records. */
export const user = named(
  'User',
  z.looseObject({
    userId: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
  }),
);
export type User = z.infer<typeof user>;

const profile = {
  userId,
  name: z.string().max(1_000).optional(),
  email: z.string().max(1_000).optional(),
  initial: z.string().max(10).optional().describe("Defaults to the first letter of the user's name."),
};

/** New users. Additional fields of the caller are stored and returned. */
export const newUsers = z
  .array(
    named(
      'NewUser',
      z.looseObject({
        ...profile,
        accessRole: z
          .enum(['viewer', 'editor'])
          .optional()
          .describe(
            '`viewer` may read; `editor` may also write. Defaults to `editor` for a new user, and to the current role otherwise.',
          ),
      }),
    ),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Additional fields of each entry are stored with the user. They grant no permissions.');
export type NewUser = z.infer<typeof newUsers>[number];

/** Version 1 of the API has no roles: a role that is sent has no effect. */
export const newUsersWithoutRole = z
  .array(named('NewUserV1', z.looseObject(profile)))
  .min(1)
  .max(MAX_BATCH)
  .describe('Additional fields of each entry are stored with the user. This version has no roles.');

/** The roles that version 1 drops: a user who was meant to be a viewer becomes an editor. */
export const rolesWithoutEffect = ({ users }: { users: z.input<typeof newUsersWithoutRole> }) =>
  users.flatMap(({ accessRole }, index) =>
    accessRole === undefined
      ? []
      : { path: ['users', index, 'accessRole'], because: 'this version has no roles; /v2 sets them' },
  );

export const withoutRoles = (users: z.infer<typeof newUsersWithoutRole>): NewUser[] =>
  users.map(({ accessRole, ...user }) => user);

/** Scope of user operations: the organization, or one document or folder in it. */
export const userScope = {
  organizationId,
  documentId: documentId.optional().describe('The users of this document.'),
  folderId: folderId.optional().describe('The users of this folder.'),
};

export const userFilter = {
  userIds: z.array(userId).min(1).max(30).optional().describe('Leaves out all other users.'),
  organizationUserGroupIds: z
    .array(organizationUserGroupId)
    .min(1)
    .max(30)
    .optional()
    .describe('Leaves out users who are in none of the named groups.'),
};

export const isOnePlace = ({
  documentId,
  folderId,
}: {
  documentId?: string | undefined;
  folderId?: string | undefined;
}): boolean => documentId === undefined || folderId === undefined;
export const ONE_PLACE = 'documentId and folderId exclude each other.';

/** A user in the contact list of an organization, folder or document. */
export const contact = named(
  'Contact',
  z.looseObject({
    userId: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
    initial: z.string().optional(),
    organizationId: z.string(),
    accessRole: z
      .enum(['viewer', 'editor'])
      .optional()
      .describe('Role in the requested place; absent if several places are requested.'),
  }),
);
export type Contact = z.infer<typeof contact>;

/** The result for one user of a batch. `message` is false if the user does not exist. */
export const userResult = (userId: string, message: string | false): ItemResult => ({
  success: message !== false,
  id: md5(userId),
  message: message || 'User does not exist.',
});
