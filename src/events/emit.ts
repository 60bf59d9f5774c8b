import { type CompiledQuery, sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import type { Tx } from '../db/tables.ts';
import { newTimedId } from '../lib/ids.ts';
import type { Fields } from '../lib/json.ts';
import type { Scope } from '../lib/scope.ts';
import { noteEmit } from './emitted.ts';
import { type EventName, type EventPayload, events } from './event-catalog.ts';
import { eventColumns, insertEvents } from './insert-events.ts';

/** Writes an event to the outbox in the transaction of the change, so that neither is there without the other. */
export const emit = <Name extends EventName>(
  tx: Tx,
  scope: Scope,
  name: Name,
  payload: EventPayload<Name>,
): Promise<void> => emitAll(tx, scope, name, [payload]);

/**
 * Writes many events of one name in one statement. The catalog parses each payload, which takes less time than writing
 * it as JSON: a field that the catalog does not declare never leaves, and a wrong payload fails the transaction.
 */
export async function emitAll<Name extends EventName>(
  tx: Tx,
  { apiKeyId, workspaceId }: Scope,
  name: Name,
  payloads: EventPayload<Name>[],
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({
    eventId: newTimedId('evt'),
    payload: events[name].parse(payload),
  }));
  noteEmit();
  await insertRows(tx, { apiKeyId, workspaceId, name, rows: JSON.stringify(rows), createdAt: Date.now() });
}

interface EventRows extends Scope, Fields {
  name: EventName;
  /** A JSON list of records of `eventId` and `payload`. */
  rows: string;
  createdAt: number;
}

/** Prepared, because nearly every write runs it. */
const insertRows = prepared<EventRows, never>((db, { apiKeyId, workspaceId, name, rows, createdAt }) => {
  const row = eventColumns({
    apiKeyId,
    workspaceId,
    name,
    createdAt,
    eventId: sql`item.row ->> 'eventId'`,
    payload: sql`item.row -> 'payload'`,
  });
  const query = insertEvents(
    sql`select ${row}, item.position
      from jsonb_array_elements(cast(${rows} as jsonb)) with ordinality as item(row, position)`,
    sql`position`,
  );
  return { compile: () => query.compile(db) as CompiledQuery<never> };
});
