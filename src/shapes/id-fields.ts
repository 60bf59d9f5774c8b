import { z } from 'zod';

/** A check and no pattern, since generators make examples and requests out of patterns. */
export const isNoPrototype = (id: string): boolean => id !== '__proto__';

/** An id that the caller chose. */
const id = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/\S/, { error: 'must not be empty' })
    // Answers are keyed by ids, and an object has no key of this name.
    .refine(isNoPrototype, { error: 'must not be __proto__' });
export const callersOwnId = id(512);

export const organizationId = callersOwnId.describe('Organization, as the caller names it.');
export const documentId = callersOwnId.describe('Document within its organization, as the caller names it.');
export const folderId = callersOwnId.describe('Folder within its organization, as the caller names it.');
export const userId = callersOwnId.describe('User, as the caller names them.');
export const annotationId = callersOwnId.describe('Comment annotation.');
export const agentId = id(200).describe('Agent; built-in ones have readable ids.');
export const groupId = id(200).describe('Agent group.');
export const executionId = id(200).describe('One run of an agent.');
export const apiKeyId = id(200).describe('API key, as `apiKeyList` names it.');
