import type { z } from 'zod';
import { withOtherProblems } from '../all-problems.ts';
import { documentId, organizationId } from '../id-fields.ts';
import type { MemoryPlace } from './judgment.ts';

/** Place fields of memory requests. `orgId` and `docId` are aliases. */
export const placeFields = {
  organizationId: organizationId.optional(),
  documentId: documentId.optional().describe('Requires organizationId.'),
  orgId: organizationId.optional().describe('Alias of organizationId.'),
  docId: documentId.optional().describe('Alias of documentId.'),
};

interface SentPlace {
  organizationId?: string | undefined;
  documentId?: string | undefined;
  orgId?: string | undefined;
  docId?: string | undefined;
}

/** The place of a request. The long field name takes precedence over its alias. */
export const placeOf = ({ organizationId, documentId, orgId, docId }: SentPlace): MemoryPlace => ({
  organizationId: organizationId ?? orgId,
  documentId: documentId ?? docId,
});

const isWhole = (sent: SentPlace): boolean => {
  const place = placeOf(sent);
  return place.documentId === undefined || place.organizationId !== undefined;
};

/** Arguments for `refine`: a documentId requires an organizationId. */
export const documentNeedsOrganization: [typeof isWhole, z.core.$ZodCustomParams] = [
  isWhole,
  { ...withOtherProblems, path: ['organizationId'], error: 'is required where a document is named' },
];
