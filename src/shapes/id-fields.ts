import { z } from 'zod';

/** A check instead of a pattern, because client generators create sample requests from patterns. */
export const isNoPrototype = (id: string): boolean => id !== '__proto__';

/** An id that the caller assigns. */
const id = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/\S/, { error: 'must not be empty' })
    // Results are keyed by id, and objects cannot have this key.
    .refine(isNoPrototype, { error: 'must not be __proto__' });
export const callerAssignedId = id(512);

export const organizationId = callerAssignedId.describe('Organization id, assigned by the caller.');
export const documentId = callerAssignedId.describe(
  'Document id within the organization, assigned by the caller.',
);
export const folderId = callerAssignedId.describe(
  'Folder id within the organization, assigned by the caller.',
);
export const userId = callerAssignedId.describe('User id, assigned by the caller.');
export const annotationId = callerAssignedId.describe('Comment annotation id.');
export const agentId = id(200).describe('Agent id; built-in agents have readable ids.');
export const groupId = id(200).describe('Agent group id.');
export const executionId = id(200).describe('Id of one run of an agent.');
export const scheduleId = id(200).describe('Id of a schedule of reviews.');
export const reviewId = id(200).describe('Id of a review by several agents.');
export const apiKeyId = id(200).describe('API key id, as listed in `apiKeyList`.');
