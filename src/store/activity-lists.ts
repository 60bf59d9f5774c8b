import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { Activity } from '../shapes/activity.ts';

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

/** One page in the order of time, strictly behind the given position where there is one. */
export async function listActivities(
  db: Db,
  { apiKeyId }: Scope,
  filter: ActivityFilter,
  { order, after, limit }: { order: 'asc' | 'desc'; after: ActivityPosition | undefined; limit: number },
): Promise<(ActivityPosition & { record: Activity })[]> {
  const { organizationId, documentId, targetEntityId, featureTypes, actionTypes, userId, activityIds } =
    filter;
  let query = db
    .selectFrom('activities')
    .leftJoin('users', (join) =>
      join
        .onRef('users.apiKeyId', '=', 'activities.apiKeyId')
        .onRef('users.userId', '=', 'activities.userId'),
    )
    .selectAll('activities')
    .select(['users.name as userName', 'users.email as userEmail'])
    .where('activities.apiKeyId', '=', apiKeyId)
    .where('activities.organizationId', '=', organizationId);
  if (documentId !== undefined) query = query.where('activities.documentId', '=', documentId);
  if (targetEntityId !== undefined) query = query.where('activities.targetEntityId', '=', targetEntityId);
  if (userId !== undefined) query = query.where('activities.userId', '=', userId);
  if (featureTypes) query = query.where('activities.featureType', 'in', featureTypes);
  if (actionTypes) query = query.where('activities.actionType', 'in', actionTypes);
  if (activityIds) query = query.where('activities.activityId', 'in', activityIds);
  if (after) {
    const position = sql`(cast(${after.createdAt} as bigint), ${after.activityId})`;
    const place = sql`(activities.created_at, activities.activity_id)`;
    query = query.where(
      order === 'asc' ? sql<boolean>`${place} > ${position}` : sql<boolean>`${place} < ${position}`,
    );
  }
  const rows = await query
    .orderBy('activities.createdAt', order)
    .orderBy('activities.activityId', order)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    createdAt: row.createdAt,
    activityId: row.activityId,
    record: {
      ...row.body,
      id: row.activityId,
      featureType: row.featureType,
      actionType: row.actionType,
      actionUser: {
        ...(row.body.actionUser as object | undefined),
        userId: row.userId,
        ...(row.userName != null && { name: row.userName }),
        ...(row.userEmail != null && { email: row.userEmail }),
      },
      ...(row.targetEntityId !== null && { targetEntityId: row.targetEntityId }),
      metadata: {
        apiKey: row.apiKeyId,
        organizationId: row.organizationId,
        ...(row.documentId !== null && { documentId: row.documentId }),
      },
      immutable: row.immutable,
      timestamp: row.createdAt,
    },
  }));
}
