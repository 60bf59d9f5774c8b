import { json } from '../db/json.ts';
import type { Tx } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { EventName, EventPayload } from './catalog.ts';

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
  const createdAt = Date.now();
  const rows = payloads.map((payload) => ({
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    eventId: newId('evt'),
    name,
    payload: json<Record<string, unknown>>(payload),
    createdAt,
    relayedAt: null,
  }));
  await tx.insertInto('events').values(rows).execute();
}
