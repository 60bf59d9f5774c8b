import { organizationId } from './ids.ts';

export const organizationUserGroupId = organizationId.describe('User group of an organization.');

/** One group of an organization. */
export const userGroupRef = { organizationId, organizationUserGroupId };
