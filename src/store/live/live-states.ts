import { json } from '../../db/json.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { deepMerge } from '../../lib/deep-merge.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { LiveState } from '../../shapes/presence.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

const MAX_BYTES = 65_536;

interface LiveStateRef extends DocumentRef {
  liveStateDataId: string;
}

/** Sets a state of a document that exists, or lays the data over what it is, and tells everybody. */
export async function broadcastLiveState(
  tx: Tx,
  scope: Scope,
  { liveStateDataId, ...place }: LiveStateRef,
  data: Record<string, unknown>,
  { merge }: { merge: boolean },
): Promise<void> {
  const updatedAt = Date.now();
  const key = { apiKeyId: scope.apiKeyId, ...place, liveStateId: liveStateDataId };
  // There must be a row to hold, or else two first broadcasts at once would not see each other.
  await tx
    .insertInto('liveStates')
    .values({ ...key, data: json({}), updatedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('liveStates')
    .select('data')
    .where((eb) => eb.and(key))
    .forUpdate()
    .executeTakeFirstOrThrow();
  const next = merge ? deepMerge(row.data, data) : data;
  if (Buffer.byteLength(JSON.stringify(next)) > MAX_BYTES) {
    throw invalidArgument(`The live state would be larger than ${MAX_BYTES} bytes.`);
  }
  await tx
    .updateTable('liveStates')
    .set({ data: json(next), updatedAt })
    .where((eb) => eb.and(key))
    .execute();
  await emit(tx, scope, 'live_state.broadcast', { ...place, liveStateDataId, data: next });
}

/** One page of the states of a document, in the order of their ids. */
export async function listLiveStates(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  {
    liveStateDataIds,
    after,
    limit,
  }: { liveStateDataIds: string[] | undefined; after: string | undefined; limit: number },
): Promise<LiveState[]> {
  let query = db
    .selectFrom('liveStates')
    .select(['liveStateId as liveStateDataId', 'data', 'updatedAt as lastUpdated'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId);
  if (liveStateDataIds) query = query.where('liveStateId', 'in', liveStateDataIds);
  if (after !== undefined) query = query.where('liveStateId', '>', after);
  return await query.orderBy('liveStateId').limit(limit).execute();
}
