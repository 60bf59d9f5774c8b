import { sql } from 'kysely';
import { json } from '../db/sql-fragments.ts';
import type { Tx } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
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
  scope: Scope,
  name: Name,
  payloads: EventPayload<Name>[],
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({ eventId: newId('evt'), payload: events[name].parse(payload) }));
  const row = eventColumns({
    ...scope,
    eventId: sql`item.row ->> 'eventId'`,
    name,
    payload: sql<EventPayload<Name>>`item.row -> 'payload'`,
    createdAt: Date.now(),
  });
  await insertEvents(
    sql`select ${row}, item.position
      from jsonb_array_elements(${json(rows)}) with ordinality as item(row, position)`,
    sql`position`,
  ).execute(tx);
}
