import { sql } from 'kysely';
import { json } from '../db/sql-fragments.ts';
import type { Tx } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { EventName, EventPayload } from './event-catalog.ts';

/** Writes that something happened, in the transaction that makes it happen: neither is ever there without the other. */
export const emit = <Name extends EventName>(
  tx: Tx,
  scope: Scope,
  name: Name,
  payload: EventPayload<Name>,
): Promise<void> => emitAll(tx, scope, name, [payload]);

/** The same for many at once, in one statement. */
export async function emitAll<Name extends EventName>(
  tx: Tx,
  scope: Scope,
  name: Name,
  payloads: EventPayload<Name>[],
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({ eventId: newId('evt'), payload }));
  await sql`
    insert into events (api_key_id, workspace_id, event_id, name, payload, created_at, relayed_at)
    select ${scope.apiKeyId}, ${scope.workspaceId}, item.row ->> 'eventId', ${name}, item.row -> 'payload',
      cast(${Date.now()} as bigint), null
    from jsonb_array_elements(${json(rows)}) with ordinality as item(row, position)
    order by item.position`.execute(tx);
}
