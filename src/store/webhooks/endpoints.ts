import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { EndpointKind, WebhookTables } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Binding, Keyring } from '../../lib/crypto.ts';
import { alreadyExists, notFound, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { holdWaiting } from './lanes.ts';

export type EndpointRow = WebhookTables['webhookEndpoints'];
/** With how it fares. */
export type EndpointView = EndpointRow & { failingSince: number | null };

export interface NewEndpoint {
  url: string;
  description?: string | undefined;
  filterTypes?: string[] | undefined;
  channels?: string[] | undefined;
  disabled: boolean;
  rateLimit?: number | undefined;
  uid?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** What is absent stays; null clears. */
export interface EndpointChange {
  url?: string | undefined;
  description?: string | null | undefined;
  filterTypes?: string[] | null | undefined;
  channels?: string[] | null | undefined;
  disabled?: boolean | undefined;
  rateLimit?: number | null | undefined;
  metadata?: Record<string, string> | null | undefined;
}

const noSuchEndpoint = () => notFound('Advanced webhook provider request failed.');

export const endpointBinding = (
  apiKeyId: string,
  endpointId: string,
  which: 'secret' | 'previous',
): Binding => ['webhook_endpoints', apiKeyId, endpointId, which];

type Sealed = Pick<
  EndpointRow,
  'apiKeyId' | 'endpointId' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
>;

/** The secret that an endpoint signs with; undefined for one of the basic configuration. */
export const openEndpointSecret = (
  keyring: Keyring,
  { apiKeyId, endpointId, secretSealed }: Pick<Sealed, 'apiKeyId' | 'endpointId' | 'secretSealed'>,
): string | undefined =>
  secretSealed === null
    ? undefined
    : keyring.open(secretSealed, endpointBinding(apiKeyId, endpointId, 'secret'));

/** All that an endpoint signs with at a moment, the present secret first. */
export function openSigningSecrets(keyring: Keyring, row: Sealed, now: number): string[] {
  const { apiKeyId, endpointId, previousSecretSealed, previousSecretUntil } = row;
  const secret = openEndpointSecret(keyring, row);
  const signsToo = previousSecretSealed !== null && Number(previousSecretUntil) > now;
  return [
    ...(secret === undefined ? [] : [secret]),
    ...(signsToo
      ? [keyring.open(previousSecretSealed, endpointBinding(apiKeyId, endpointId, 'previous'))]
      : []),
  ];
}

const advanced = (db: Db, { apiKeyId }: Scope) =>
  db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('kind', '=', 'advanced');

/** NOT_FOUND where the API key has no such endpoint. */
export async function requireEndpoint(db: Db, scope: Scope, endpointId: string): Promise<EndpointRow> {
  const row = await advanced(db, scope).where('endpointId', '=', endpointId).executeTakeFirst();
  if (!row) throw noSuchEndpoint();
  return row;
}

/** The same, held until the transaction ends. */
export async function holdEndpoint(tx: Tx, scope: Scope, endpointId: string): Promise<EndpointRow> {
  const row = await advanced(tx, scope).where('endpointId', '=', endpointId).forUpdate().executeTakeFirst();
  if (!row) throw noSuchEndpoint();
  return row;
}

/** Endpoints of a kind, held until the transaction ends; answers their ids. */
export async function holdEndpoints(tx: Tx, { apiKeyId }: Scope, kind: EndpointKind): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhookEndpoints')
    .select('endpointId')
    .where('apiKeyId', '=', apiKeyId)
    .where('kind', '=', kind)
    .orderBy('endpointId')
    .forUpdate()
    .execute();
  return rows.map(({ endpointId }) => endpointId);
}

export interface EndpointWindow {
  endpointId?: string | undefined;
  uid?: string | undefined;
  from: { createdAt: number; endpointId: string } | undefined;
  direction: 'forward' | 'backward';
  limit: number;
}

/** Endpoints next to a place in the order of their creation, the nearest first. */
export function listEndpoints(
  db: Db,
  { apiKeyId }: Scope,
  { endpointId, uid, from, direction, limit }: EndpointWindow,
): Promise<EndpointView[]> {
  const order = direction === 'forward' ? 'asc' : 'desc';
  let query = db
    .selectFrom('webhookEndpoints as endpoint')
    .leftJoin('webhookLanes as lane', (join) =>
      join
        .onRef('lane.apiKeyId', '=', 'endpoint.apiKeyId')
        .onRef('lane.endpointId', '=', 'endpoint.endpointId'),
    )
    .selectAll('endpoint')
    .select('lane.failingSince')
    .where('endpoint.apiKeyId', '=', apiKeyId)
    .where('endpoint.kind', '=', 'advanced')
    .orderBy('endpoint.createdAt', order)
    .orderBy('endpoint.endpointId', order)
    .limit(limit);
  if (endpointId !== undefined) query = query.where('endpoint.endpointId', '=', endpointId);
  if (uid !== undefined) query = query.where('endpoint.uid', '=', uid);
  if (from) {
    const place = sql`(cast(${from.createdAt} as bigint), ${from.endpointId})`;
    const sign = sql.raw(direction === 'forward' ? '>' : '<');
    query = query.where(sql<boolean>`(endpoint.created_at, endpoint.endpoint_id) ${sign} ${place}`);
  }
  return query.execute();
}

/**
 * Creates an endpoint that signs with the secret. RESOURCE_EXHAUSTED where the API key has `most` endpoints already,
 * ALREADY_EXISTS for a uid in use.
 */
export async function createEndpoint(
  tx: Tx,
  keyring: Keyring,
  { apiKeyId, workspaceId }: Scope,
  { url, description, filterTypes, channels, disabled, rateLimit, uid, metadata }: NewEndpoint,
  { secret, most }: { secret: string; most: number },
): Promise<EndpointView> {
  await refuseTooMany(tx, apiKeyId, most);
  const now = Date.now();
  const endpointId = newId('ep');
  const row = await tx
    .insertInto('webhookEndpoints')
    .values({
      apiKeyId,
      endpointId,
      workspaceId,
      kind: 'advanced',
      url,
      description: description ?? null,
      filterTypes: jsonOrNull(filterTypes),
      channels: jsonOrNull(channels),
      disabled,
      disabledReason: disabled ? 'caller' : null,
      rateLimit: rateLimit ?? null,
      uid: uid ?? null,
      metadata: jsonOrNull(metadata),
      secretSealed: keyring.seal(secret, endpointBinding(apiKeyId, endpointId, 'secret')),
      previousSecretSealed: null,
      previousSecretUntil: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw alreadyExists(`An endpoint with the uid ${JSON.stringify(uid)} exists already.`);
  await tx.insertInto('webhookLanes').values({ apiKeyId, endpointId, toldPercent: 0 }).execute();
  return { ...row, failingSince: null };
}

const jsonOrNull = <T>(value: T | null | undefined) => (value == null ? null : json(value));

/** Creations of one key wait for each other here, so that the limit holds. */
async function refuseTooMany(tx: Tx, apiKeyId: string, most: number): Promise<void> {
  await tx
    .selectFrom('serviceConfigs')
    .select('apiKeyId')
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', 'advancedWebhook')
    .forUpdate()
    .execute();
  const { count } = await tx
    .selectFrom('webhookEndpoints')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .where('kind', '=', 'advanced')
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) {
    throw resourceExhausted(`An API key can have at most ${most} webhook endpoints.`);
  }
}

/** Changes what is sent of an endpoint. Disabled, it keeps what waits; enabled, or moved, it begins anew. */
export async function updateEndpoint(
  tx: Tx,
  scope: Scope,
  endpointId: string,
  { filterTypes, channels, metadata, disabled, ...plain }: EndpointChange,
): Promise<EndpointView> {
  const before = await holdEndpoint(tx, scope, endpointId);
  const { apiKeyId } = scope;
  const isSwitched = disabled !== undefined && disabled !== before.disabled;
  const row = await tx
    .updateTable('webhookEndpoints')
    .set({
      ...plain,
      ...(filterTypes !== undefined && { filterTypes: jsonOrNull(filterTypes) }),
      ...(channels !== undefined && { channels: jsonOrNull(channels) }),
      ...(metadata !== undefined && { metadata: jsonOrNull(metadata) }),
      ...(isSwitched && { disabled, disabledReason: disabled ? 'caller' : null }),
      updatedAt: Date.now(),
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isSwitched && disabled) await holdWaiting(tx, apiKeyId, [endpointId]);
  if ((isSwitched && !disabled) || row.url !== before.url) await forgetFailures(tx, apiKeyId, endpointId);
  const lane = await tx
    .selectFrom('webhookLanes')
    .select('failingSince')
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .executeTakeFirst();
  return { ...row, failingSince: lane?.failingSince ?? null };
}

/** From now on an endpoint counts as one that never failed, and what is due is tried without a pause. */
export async function forgetFailures(tx: Tx, apiKeyId: string, endpointId: string): Promise<void> {
  await tx
    .updateTable('webhookLanes')
    .set({ failingSince: null, toldPercent: 0, toldAt: null, pausedUntil: null })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
}

/** Deletes an endpoint with its secrets; NOT_FOUND where there is none. */
export async function deleteEndpoint(tx: Tx, scope: Scope, endpointId: string): Promise<void> {
  await holdEndpoint(tx, scope, endpointId);
  await removeEndpoint(tx, scope.apiKeyId, endpointId);
}

/** Of an endpoint that is held. What waits for it is held too, until it is purged. */
export async function removeEndpoint(tx: Tx, apiKeyId: string, endpointId: string): Promise<void> {
  while (!(await holdWaiting(tx, apiKeyId, [endpointId])));
  for (const table of ['webhookLeases', 'webhookEndpoints'] as const) {
    await tx
      .deleteFrom(table)
      .where('apiKeyId', '=', apiKeyId)
      .where('endpointId', '=', endpointId)
      .execute();
  }
}
