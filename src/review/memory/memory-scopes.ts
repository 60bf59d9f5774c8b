import type { MemoryPlace } from '../../shapes/memory/judgment.ts';

/** A place that counts for a run, and its name in answers. */
export interface RunPlace {
  scope: 'document' | 'organization' | 'apiKey';
  place: MemoryPlace;
}

/**
 * Where a run looks for what people decided, the narrowest first: its document, its organization, and what belongs to
 * no organization at all. What belongs to another one is never looked at, also not by a run without a document.
 */
export function placesOf(row: { organizationId: string; documentId: string }): RunPlace[] {
  const { organizationId, documentId } = row;
  const ofNone: RunPlace = { scope: 'apiKey', place: { organizationId: '' } };
  if (organizationId === '') return [ofNone];
  const ofAll: RunPlace = { scope: 'organization', place: { organizationId } };
  if (documentId === '') return [ofAll, ofNone];
  return [{ scope: 'document', place: { organizationId, documentId } }, ofAll, ofNone];
}
