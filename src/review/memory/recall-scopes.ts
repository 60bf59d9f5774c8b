import type { MemoryPlace } from '../../shapes/memory/judgment.ts';

/** A place whose judgments count for a run, with its name in the API. */
export interface RecallScope {
  scope: 'document' | 'organization' | 'apiKey';
  place: MemoryPlace;
}

/**
 * Places whose judgments count for a run, the narrowest first: its document, its organization, and judgments outside of
 * organizations. A run never sees judgments of another organization, even if it has no document of its own.
 */
export function recallScopesOf(row: { organizationId: string; documentId: string }): RecallScope[] {
  const { organizationId, documentId } = row;
  const outside: RecallScope = { scope: 'apiKey', place: { organizationId: '' } };
  if (organizationId === '') return [outside];
  const organization: RecallScope = { scope: 'organization', place: { organizationId } };
  if (documentId === '') return [organization, outside];
  return [{ scope: 'document', place: { organizationId, documentId } }, organization, outside];
}
