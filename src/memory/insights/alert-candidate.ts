import type { MemoryInsightTables } from '../../db/tables/memory-insight-tables.ts';
import { shorten } from '../../lib/text/cut-text.ts';

/** An alert that may be raised, unless it was raised before. */
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

/** A content type for a title; callers choose its name, so it is cut off. */
export const titleOfType = (contentType: string): string =>
  shorten(contentType.replace(/\s+/g, ' ').trim(), 80);
