import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { ActivityTables } from '../../db/tables/activity-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Activity } from '../../shapes/activity.ts';

export interface ActivityFilter {
  organizationId: string;
  documentId?: string | undefined;
  targetEntityId?: string | undefined;
  featureTypes?: string[] | undefined;
  actionTypes?: string[] | undefined;
  userId?: string | undefined;
  activityIds?: string[] | undefined;
}

export interface ActivityPosition {
  createdAt: number;
  activityId: string;
}

interface Window {
  order: 'asc' | 'desc';
  after: ActivityPosition | undefined;
  limit: number;
}

type ActivityRow = ActivityTables['activities'] & { userName: string | null; userEmail: string | null };

/** One page by time, after a position (keyset pagination). */
export async function listActivities(
  db: Db,
  { apiKeyId }: Scope,
  filter: ActivityFilter,
  window: Window,
): Promise<(ActivityPosition & { record: Activity })[]> {
  const conditions = sql.join(conditionsOf(apiKeyId, filter, window), sql` and `);
  const direction = sql.raw(window.order);
  const page = (condition: RawBuilder<SqlBool>) => sql`
    select * from activities where ${condition}
    order by activities.created_at ${direction}, activities.activity_id ${direction} limit ${window.limit}`;
  const kinds = kindsOf(filter);
  // One page per kind: an index orders the activities of one kind, but not of several.
  const found = kinds
    ? sql`select listed.* from jsonb_array_elements_text(${json(kinds.values)}) as kind(value)
        cross join lateral (${page(sql`${conditions} and ${sql.ref(kinds.column)} = kind.value`)}) as listed`
    : page(sql`${conditions}`);
  const { rows } = await sql<ActivityRow>`
    select found.*, users.name as user_name, users.email as user_email from (${found}) as found
    left join users on users.api_key_id = found.api_key_id and users.user_id = found.user_id
    order by found.created_at ${direction}, found.activity_id ${direction} limit ${window.limit}`.execute(db);
  return rows.map((row) => ({
    createdAt: row.createdAt,
    activityId: row.activityId,
    record: presentActivity(row),
  }));
}

function kindsOf({
  featureTypes,
  actionTypes,
  activityIds,
  targetEntityId,
  userId,
  documentId,
}: ActivityFilter) {
  // Other filters are more selective.
  if (activityIds || (targetEntityId ?? userId ?? documentId) !== undefined) return undefined;
  if (actionTypes) return { column: 'activities.action_type', values: [...new Set(actionTypes)] };
  if (featureTypes) return { column: 'activities.feature_type', values: [...new Set(featureTypes)] };
  return undefined;
}

function conditionsOf(
  apiKeyId: string,
  {
    organizationId,
    documentId,
    targetEntityId,
    featureTypes,
    actionTypes,
    userId,
    activityIds,
  }: ActivityFilter,
  { order, after }: Window,
): RawBuilder<SqlBool>[] {
  const oneOf = (column: string, values: string[] | undefined) =>
    values ? [condition`${sql.ref(column)} in (${sql.join(values)})`] : [];
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [condition`${sql.ref(column)} = ${value}`];
  const position = after && sql`(cast(${after.createdAt} as bigint), ${after.activityId})`;
  const key = sql`(activities.created_at, activities.activity_id)`;
  return [
    ...is('activities.api_key_id', apiKeyId),
    ...is('activities.organization_id', organizationId),
    ...is('activities.document_id', documentId),
    ...is('activities.target_entity_id', targetEntityId),
    ...is('activities.user_id', userId),
    ...oneOf('activities.feature_type', featureTypes),
    ...oneOf('activities.action_type', actionTypes),
    ...oneOf('activities.activity_id', activityIds),
    ...(position
      ? [order === 'asc' ? condition`${key} > ${position}` : condition`${key} < ${position}`]
      : []),
  ];
}

const presentActivity = (row: ActivityRow): Activity => ({
  ...row.body,
  id: row.activityId,
  featureType: row.featureType,
  actionType: row.actionType,
  actionUser: {
    ...(row.body.actionUser as object | undefined),
    userId: row.userId,
    ...(row.userName !== null && { name: row.userName }),
    ...(row.userEmail !== null && { email: row.userEmail }),
  },
  ...(row.targetEntityId !== null && { targetEntityId: row.targetEntityId }),
  metadata: {
    apiKey: row.apiKeyId,
    organizationId: row.organizationId,
    ...(row.documentId !== null && { documentId: row.documentId }),
  },
  immutable: row.immutable,
  timestamp: row.createdAt,
});
