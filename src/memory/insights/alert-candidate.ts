import type { MemoryInsightTables } from '../../db/tables/memory-insight-tables.ts';
import { shorten } from '../../lib/text/cut-text.ts';

/** Something worth telling, which may have been told before. */
export type AlertCandidate = Pick<
  MemoryInsightTables['memoryAlerts'],
  | 'organizationId'
  | 'alertType'
  | 'severity'
  | 'title'
  | 'description'
  | 'evidence'
  | 'suggestedAction'
  | 'dedupKey'
>;

/** A kind of content as a title names it: callers choose what it is called. */
export const nameOfKind = (contentType: string): string =>
  shorten(contentType.replace(/\s+/g, ' ').trim(), 80);
