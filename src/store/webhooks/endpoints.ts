import { sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { EndpointKind, WebhookTables } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Binding, Keyring } from '../../lib/crypto.ts';
import { alreadyExists, notFound, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { withoutQuery } from '../../lib/without-queries.ts';
import { holdWaiting } from './lanes.ts';

export type EndpointRow = WebhookTables['webhookEndpoints'];
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

/** Absent fields keep their value; null clears a field. */
export interface EndpointChange {
  url?: string | undefined;
  description?: string | null | undefined;
  filterTypes?: string[] | null | undefined;
  channels?: string[] | null | undefined;
  disabled?: boolean | undefined;
  rateLimit?: number | null | undefined;
  metadata?: Record<string, string> | null | undefined;
}

export const noSuchEndpoint = () => notFound('Advanced webhook provider request failed.');

export const endpointBinding = (
  apiKeyId: string,
  endpointId: string,
  which: 'secret' | 'previous',
): Binding => ['webhook_endpoints', apiKeyId, endpointId, which];

type Sealed = Pick<
  EndpointRow,
  'apiKeyId' | 'endpointId' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
>;

/** The signing secret of an endpoint; basic endpoints have none. */
export const openEndpointSecret = (
  keyring: Keyring,
  { apiKeyId, endpointId, secretSealed }: Pick<Sealed, 'apiKeyId' | 'endpointId' | 'secretSealed'>,
): string | undefined =>
  secretSealed === null
    ? undefined
    : keyring.open(secretSealed, endpointBinding(apiKeyId, endpointId, 'secret'));

/** The secrets that sign at a time: the present one first, and the previous one during a rotation. */
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

/** An advanced endpoint. Throws NOT_FOUND. */
export async function requireEndpoint(db: Db, scope: Scope, endpointId: string): Promise<EndpointRow> {
  const row = await advanced(db, scope).where('endpointId', '=', endpointId).executeTakeFirst();
  if (!row) throw noSuchEndpoint();
  return row;
}

/** As `requireEndpoint`, locked until the transaction ends. */
export async function requireEndpointForUpdate(
  tx: Tx,
  scope: Scope,
  endpointId: string,
): Promise<EndpointRow> {
  const row = await advanced(tx, scope).where('endpointId', '=', endpointId).forUpdate().executeTakeFirst();
  if (!row) throw noSuchEndpoint();
  return row;
}

/** Locks the endpoints of a kind until the transaction ends, and returns their ids. */
export async function lockEndpointsOfKind(
  tx: Tx,
  { apiKeyId }: Scope,
  kind: EndpointKind,
): Promise<string[]> {
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

/** Endpoints with a secret, of an API key or of all, the oldest secret first. A URL may contain credentials in its query. */
export async function listSecretAges(
  db: Db,
  { apiKeyId, madeBefore }: { apiKeyId?: string | undefined; madeBefore?: number },
): Promise<{ apiKeyId: string; endpointId: string; url: string; secretAt: number }[]> {
  let query = db
    .selectFrom('webhookEndpoints')
    .select((eb) => [
      'apiKeyId',
      'endpointId',
      'url',
      eb.fn.coalesce('secretAt', 'createdAt').$notNull().as('secretAt'),
    ])
    .where('secretSealed', 'is not', null);
  if (apiKeyId !== undefined) query = query.where('apiKeyId', '=', apiKeyId);
  if (madeBefore !== undefined)
    query = query.where((eb) => eb(eb.fn.coalesce('secretAt', 'createdAt'), '<=', madeBefore));
  const rows = await query.orderBy('secretAt').orderBy('apiKeyId').orderBy('endpointId').execute();
  return rows.map((row) => ({ ...row, url: withoutQuery(row.url), secretAt: Number(row.secretAt) }));
}

export interface EndpointWindow {
  endpointId?: string | undefined;
  uid?: string | undefined;
  from: { createdAt: number; endpointId: string } | undefined;
  direction: 'forward' | 'backward';
  limit: number;
}

/**
 * One keyset page of advanced endpoints in order of creation, forward or backward from a position, nearest first.
 */
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
    const position = sql`(cast(${from.createdAt} as bigint), ${from.endpointId})`;
    const sign = sql.raw(direction === 'forward' ? '>' : '<');
    query = query.where(condition`(endpoint.created_at, endpoint.endpoint_id) ${sign} ${position}`);
  }
  return query.execute();
}

/**
 * Creates an endpoint that signs with the secret. Throws RESOURCE_EXHAUSTED if the API key has `max` endpoints, and
 * ALREADY_EXISTS for a uid in use.
 */
export async function createEndpoint(
  tx: Tx,
  keyring: Keyring,
  { apiKeyId, workspaceId }: Scope,
  { url, description, filterTypes, channels, disabled, rateLimit, uid, metadata }: NewEndpoint,
  { secret, max }: { secret: string; max: number },
): Promise<EndpointView> {
  await refuseTooMany(tx, apiKeyId, max);
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
      secretAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw alreadyExists(`An endpoint with the uid ${JSON.stringify(uid)} already exists.`);
  await tx.insertInto('webhookLanes').values({ apiKeyId, endpointId, toldPercent: 0 }).execute();
  return { ...row, failingSince: null };
}

const jsonOrNull = <T>(value: T | null | undefined) => (value == null ? null : json(value));

/** Locks the row of the webhook service's configuration, so that concurrent creations cannot exceed the limit together. */
async function refuseTooMany(tx: Tx, apiKeyId: string, max: number): Promise<void> {
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
  if (Number(count) >= max) {
    throw resourceExhausted(`An API key can have at most ${max} webhook endpoints.`);
  }
}

/** Changes an endpoint. Disabling holds its waiting deliveries; enabling, or a new URL, resets its health. */
export async function updateEndpoint(
  tx: Tx,
  scope: Scope,
  endpointId: string,
  { filterTypes, channels, metadata, disabled, ...plain }: EndpointChange,
): Promise<EndpointView> {
  const before = await requireEndpointForUpdate(tx, scope, endpointId);
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
  if ((isSwitched && !disabled) || row.url !== before.url) await resetHealth(tx, apiKeyId, endpointId);
  const lane = await tx
    .selectFrom('webhookLanes')
    .select('failingSince')
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .executeTakeFirst();
  return { ...row, failingSince: lane?.failingSince ?? null };
}

/** Resets an endpoint's health and pause. */
export async function resetHealth(tx: Tx, apiKeyId: string, endpointId: string): Promise<void> {
  await tx
    .updateTable('webhookLanes')
    .set({ failingSince: null, toldPercent: 0, toldAt: null, pausedUntil: null })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
}

/** Deletes an endpoint with its secrets. Throws NOT_FOUND. */
export async function deleteEndpoint(tx: Tx, scope: Scope, endpointId: string): Promise<void> {
  await requireEndpointForUpdate(tx, scope, endpointId);
  await removeEndpoint(tx, scope.apiKeyId, endpointId);
}

/** Removes an endpoint, which the caller has locked. Its waiting deliveries are held until they are pruned. */
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

/**
 * Replaces the secret of an endpoint. The previous secret signs, too, until the grace period ends; an older one stops.
 * Sending the current secret again changes nothing. Returns the time at which the previous secret stops, or null.
 */
export async function rotateEndpointSecret(
  tx: Tx,
  keyring: Keyring,
  scope: Scope,
  endpointId: string,
  { secret, graceMs }: { secret: string; graceMs: number },
): Promise<number | null> {
  const before = await requireEndpointForUpdate(tx, scope, endpointId);
  const { apiKeyId } = scope;
  const now = Date.now();
  const present = openEndpointSecret(keyring, before);
  if (present === secret) return Number(before.previousSecretUntil) > now ? before.previousSecretUntil : null;
  const keepsOld = present !== undefined && graceMs > 0;
  const previousSecretUntil = keepsOld ? now + graceMs : null;
  await tx
    .updateTable('webhookEndpoints')
    .set({
      secretSealed: keyring.seal(secret, endpointBinding(apiKeyId, endpointId, 'secret')),
      previousSecretSealed: keepsOld
        ? keyring.seal(present, endpointBinding(apiKeyId, endpointId, 'previous'))
        : null,
      previousSecretUntil,
      secretAt: now,
      updatedAt: now,
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
  return previousSecretUntil;
}
