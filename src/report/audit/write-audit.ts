import type { z } from 'zod';
import type { auditEntry } from '../../shapes/audit/audit-entry.ts';
import { BYTE_ORDER_MARK, csvLines } from '../csv-lines.ts';

type Entry = z.input<typeof auditEntry> & { actorDigest: string; targetDigest: string };

const jsonOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

/** The columns in their order. Programs find them by name, so new ones may be added anywhere. */
const COLUMNS: Record<string, (entry: Entry) => string | number | null | undefined> = {
  seq: ({ seq }) => seq,
  time: ({ at }) => new Date(at).toISOString(),
  action: ({ action }) => action,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  assistant: ({ actor }) => actor.assistant,
  via: ({ via }) => via,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  request_id: ({ requestId }) => requestId,
  api_key: ({ apiKeyId }) => apiKeyId,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  organization_id: ({ target }) => target.organizationId,
  document_id: ({ target }) => target.documentId,
  before: ({ before }) => jsonOf(before),
  after: ({ after }) => jsonOf(after),
  erased: ({ isErased }) => (isErased ? 'yes' : ''),
  entry_id: ({ entryId }) => entryId,
  previous_hash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
};

/** A part of an export of the audit log. The first part of CSV begins with the names of the columns. */
export function writeAudit(
  format: 'ndjson' | 'csv',
  entries: readonly Entry[],
  { isFirst }: { isFirst: boolean },
): string {
  if (format === 'ndjson') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const rows = entries.map((entry) => Object.values(COLUMNS).map((columnOf) => columnOf(entry)));
  const lines = csvLines(isFirst ? [Object.keys(COLUMNS), ...rows] : rows);
  return isFirst ? `${BYTE_ORDER_MARK}${lines}` : lines;
}
