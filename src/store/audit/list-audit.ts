import type { Db } from '../../db/tables.ts';
import { asObject } from '../../lib/json.ts';
import type { AuditAction, AuditActorKind, AuditTargetType } from '../../shapes/audit/audit-actions.ts';
import type { AuditRow } from './audit-hash.ts';

export interface AuditFilter {
  from?: number | undefined;
  to?: number | undefined;
  actions?: readonly string[] | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  apiKeyId?: string | undefined;
}

export interface AuditPage {
  after: { at: number; entryId: string } | undefined;
  limit: number;
}

/**
 * One keyset page of the entries of a workspace, by time, the newest or the oldest first. Entries that are chained and those that
 * wait for it have indexes of their own.
 */
export async function pageAudit(
  db: Db,
  workspaceId: string,
  filter: AuditFilter,
  page: AuditPage,
  order: 'asc' | 'desc' = 'desc',
): Promise<AuditRow[]> {
  const part = (isChained: boolean) => partOf(db, workspaceId, isChained, filter, page, order);
  return await db
    .with('chained', () => part(true))
    .with('waiting', () => part(false))
    .selectFrom((both) =>
      both.selectFrom('chained').selectAll().unionAll(both.selectFrom('waiting').selectAll()).as('entry'),
    )
    .selectAll()
    .orderBy('at', order)
    .orderBy('entryId', order)
    .limit(page.limit)
    .execute();
}

function partOf(
  db: Db,
  workspaceId: string,
  isChained: boolean,
  { from, to, actions, actorId, targetId, apiKeyId }: AuditFilter,
  { after, limit }: AuditPage,
  order: 'asc' | 'desc',
) {
  let query = db
    .selectFrom('auditLog')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('seq', isChained ? 'is not' : 'is', null)
    .orderBy('at', order)
    .orderBy('entryId', order)
    .limit(limit);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  if (actions !== undefined) query = query.where('action', 'in', [...actions]);
  if (actorId !== undefined) query = query.where('actorId', '=', actorId);
  if (targetId !== undefined) query = query.where('targetId', '=', targetId);
  if (apiKeyId !== undefined) query = query.where('apiKeyId', '=', apiKeyId);
  if (!after) return query;
  const { at, entryId } = after;
  return query.where((eb) =>
    eb(eb.refTuple('at', 'entryId'), order === 'desc' ? '<' : '>', eb.tuple(at, entryId)),
  );
}

/** An entry as the API shows it. */
export function presentAudit(row: AuditRow) {
  const { before, after } = asObject(row.changes === null ? {} : JSON.parse(row.changes));
  return {
    entryId: row.entryId,
    seq: row.seq,
    at: row.at,
    action: row.action as AuditAction,
    actor: {
      kind: row.actorKind as AuditActorKind,
      id: row.actorId,
      name: row.actorName,
      assistant: row.assistant,
    },
    via: row.via,
    address: row.address,
    userAgent: row.userAgent,
    requestId: row.requestId,
    apiKeyId: row.apiKeyId,
    target: {
      type: row.targetType as AuditTargetType,
      id: row.targetId,
      organizationId: row.organizationId,
      documentId: row.documentId,
    },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    isErased: row.actorSalt === null || row.targetSalt === null,
    previousHash: row.previousHash,
    hash: row.hash,
  };
}
