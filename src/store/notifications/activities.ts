import { sql } from 'kysely';
import { z } from 'zod';
import { json, ofTheirKey, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ActivityChange, NewActivity } from '../../shapes/activity.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { firstTimestamps, withPlaces } from './ordered-timestamps.ts';

interface ActivityItem {
  activityId: string;
  featureType: string | null;
  actionType: string | null;
  userId: string | null;
  targetEntityId: string | null;
  body: Record<string, unknown>;
}

const recordset = (items: ActivityItem[]) =>
  sql`jsonb_to_recordset(${json(items)}) as item("activityId" text, "featureType" text, "actionType" text,
    "userId" text, "targetEntityId" text, body jsonb)`;

export const newActivityId = () => newTimedId('act');

/** An activity with its id and its document. */
export interface PlacedActivity extends DocumentRef {
  scope: Scope;
  immutable: boolean;
  activity: NewActivity & { id: string };
}

/**
 * Upserts activities on a document, if it exists. An existing activity keeps its time, and its content if it is
 * immutable, so that a call can be repeated.
 */
export async function addActivities(
  tx: Tx,
  scope: Scope,
  place: DocumentRef,
  activities: NewActivity[],
  { immutable }: { immutable: boolean },
): Promise<void> {
  const items = itemsOf(activities.map((activity) => ({ ...activity, id: activity.id ?? newActivityId() })));
  await writeActivities(
    tx,
    items.map((item) => ({ ...item, ...place, scope, immutable, place: 0 })),
  );
}

/** Upserts activities on many documents; lists show them in the order given. Ids must be distinct. */
export async function addActivitiesInOrder(tx: Tx, activities: PlacedActivity[]): Promise<void> {
  const items = activities.map(({ activity, scope, ...placed }) => ({
    ...itemsOf([activity])[0]!,
    ...placed,
    scope,
    apiKeyId: scope.apiKeyId,
  }));
  await writeActivities(tx, withPlaces(items));
}

const writtenRow = z.object({ apiKeyId: z.string(), organizationId: z.string(), activityId: z.string() });

async function writeActivities(
  tx: Tx,
  items: (ActivityItem & DocumentRef & { scope: Scope; immutable: boolean; place: number })[],
): Promise<void> {
  if (items.length === 0) return;
  const records = items.map(({ scope, ...item }) => ({ ...item, apiKeyId: scope.apiKeyId }));
  const rows = await rowsOf(
    tx,
    writtenRow,
    sql`
    with item as materialized (select * from jsonb_to_recordset(${json(records)}) as item("apiKeyId" text,
      "organizationId" text, "documentId" text, "activityId" text, "featureType" text, "actionType" text,
      "userId" text, "targetEntityId" text, immutable boolean, body jsonb, place bigint) where ${ofTheirKey(records)}),
    held as materialized (
      select documents.api_key_id, documents.organization_id, documents.document_id
      from (select distinct "apiKeyId", "organizationId", "documentId" from item) as wanted
      join documents on documents.api_key_id = wanted."apiKeyId"
        and documents.organization_id = wanted."organizationId" and documents.document_id = wanted."documentId"
      order by 1, 2, 3 for key share of documents),
    moment as materialized (${firstTimestamps('activities')})
    insert into activities (api_key_id, organization_id, activity_id, document_id, feature_type, action_type,
      user_id, target_entity_id, immutable, body, created_at, updated_at)
    select held.api_key_id, held.organization_id, item."activityId", held.document_id, item."featureType",
      item."actionType", item."userId", item."targetEntityId", item.immutable, item.body,
      moment.at + item.place, moment.at + item.place
    from item join moment using ("apiKeyId", "organizationId")
    join held on held.api_key_id = item."apiKeyId" and held.organization_id = item."organizationId"
      and held.document_id = item."documentId"
    order by held.api_key_id, held.organization_id, item."activityId"
    on conflict (api_key_id, organization_id, activity_id) do update
      set document_id = excluded.document_id, feature_type = excluded.feature_type,
        action_type = excluded.action_type, user_id = excluded.user_id,
        target_entity_id = excluded.target_entity_id, body = excluded.body, updated_at = excluded.updated_at
      where not activities.immutable
    returning api_key_id, organization_id, activity_id`,
  );
  const keyOf = (
    apiKeyId: string,
    { organizationId, activityId }: { organizationId: string; activityId: string },
  ) => JSON.stringify([apiKeyId, organizationId, activityId]);
  const written = new Set(rows.map((row) => keyOf(row.apiKeyId, row)));
  const added = items.filter((item) => written.has(keyOf(item.scope.apiKeyId, item)));
  for (const ofKey of Map.groupBy(added, ({ scope }) => scope.apiKeyId).values()) {
    await emitAll(
      tx,
      ofKey[0]!.scope,
      'activity.add',
      ofKey.map(({ organizationId, activityId }) => ({ organizationId, activityId })),
    );
  }
}

const updatedRow = z.object({ activityId: z.string() });

/** Changes activities that are not immutable, and returns their ids. */
export async function updateActivities(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  changes: ActivityChange[],
): Promise<Set<string>> {
  const items = itemsOf(changes);
  const rows = await rowsOf(
    tx,
    updatedRow,
    sql`
    with item as materialized (select * from ${recordset(items)}),
    held as (
      select activities.activity_id from activities join item on item."activityId" = activities.activity_id
      where activities.api_key_id = ${scope.apiKeyId} and activities.organization_id = ${organizationId}
        and not activities.immutable
      order by activities.activity_id for no key update of activities)
    update activities set feature_type = coalesce(item."featureType", activities.feature_type),
      action_type = coalesce(item."actionType", activities.action_type),
      user_id = coalesce(item."userId", activities.user_id),
      target_entity_id = coalesce(item."targetEntityId", activities.target_entity_id),
      body = activities.body || item.body, updated_at = cast(${Date.now()} as bigint)
    from item join held on held.activity_id = item."activityId"
    where activities.api_key_id = ${scope.apiKeyId} and activities.organization_id = ${organizationId}
      and activities.activity_id = item."activityId"
    returning activities.activity_id`,
  );
  await emitChanges(tx, scope, 'activity.update', organizationId, rows);
  return new Set(rows.map((row) => row.activityId));
}

export interface ActivitySelection {
  organizationId: string;
  documentId?: string | undefined;
  activityIds?: string[] | undefined;
  targetEntityId?: string | undefined;
}

/** Deletes activities that match all filters, immutable ones included, and returns their ids. */
export async function deleteActivities(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId, activityIds, targetEntityId }: ActivitySelection,
): Promise<Set<string>> {
  let query = tx
    .deleteFrom('activities')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId);
  if (documentId !== undefined) query = query.where('documentId', '=', documentId);
  if (activityIds) query = query.where('activityId', 'in', activityIds);
  if (targetEntityId !== undefined) query = query.where('targetEntityId', '=', targetEntityId);
  const rows = await query.returning('activityId').execute();
  await emitChanges(tx, scope, 'activity.delete', organizationId, rows);
  return new Set(rows.map((row) => row.activityId));
}

const emitChanges = (
  tx: Tx,
  scope: Scope,
  name: 'activity.update' | 'activity.delete',
  organizationId: string,
  rows: { activityId: string }[],
): Promise<void> =>
  emitAll(
    tx,
    scope,
    name,
    rows.map(({ activityId }) => ({ organizationId, activityId })),
  );

/** Merges entries with the same id, later fields first, and sorts by id, so that concurrent batches cannot deadlock. */
function itemsOf(activities: (ActivityChange & { id: string })[]): ActivityItem[] {
  const items = new Map<string, ActivityItem>();
  for (const { id, featureType, actionType, targetEntityId, ...rest } of activities) {
    const earlier = items.get(id);
    items.set(id, {
      activityId: id,
      featureType: featureType ?? earlier?.featureType ?? null,
      actionType: actionType ?? earlier?.actionType ?? null,
      userId: rest.actionUser?.userId ?? earlier?.userId ?? null,
      targetEntityId: targetEntityId ?? earlier?.targetEntityId ?? null,
      body: { ...earlier?.body, ...rest },
    });
  }
  return [...items.values()].sort((a, b) => (a.activityId < b.activityId ? -1 : 1));
}
