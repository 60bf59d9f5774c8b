import type { Db } from '../db/tables.ts';
import type { Caller } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { loadReader } from '../store/access/visibility-sql.ts';
import { type ExecutionRow, executionNotFound, requireExecution } from '../store/agents/executions.ts';
import { authorize, documentRoleOf } from './authorize.ts';

/**
 * An execution that the caller may read: any for an API key; for a user, one on a document that they may read, and only
 * if they may see its suggestions too, which those of private runs show to the organization alone. Throws NOT_FOUND
 * otherwise, so that a user cannot tell whether an execution exists.
 */
export async function requireReadableExecution(
  db: Db,
  caller: Caller,
  executionId: string,
): Promise<ExecutionRow> {
  const row = await requireExecution(db, caller, executionId);
  const { user } = caller;
  if (!user) return row;
  const { organizationId, documentId, request } = row;
  if (documentId === '') throw executionNotFound(executionId);
  const { role } = await documentRoleOf(db, caller, user, { organizationId, documentId });
  if (role === 'none') throw executionNotFound(executionId);
  if (request.annotationVisibility === 'public') return row;
  const reader = await loadReader(db, caller, organizationId);
  if (!reader?.isMember) throw executionNotFound(executionId);
  return row;
}

/**
 * Throws PERMISSION_DENIED unless the caller may list the executions on a document. True if the list may only contain
 * public runs.
 */
export async function authorizeExecutions(db: Db, caller: Caller, place: DocumentRef): Promise<boolean> {
  await authorize(db, caller, place, 'viewer');
  const reader = await loadReader(db, caller, place.organizationId);
  return reader !== undefined && !reader.isMember;
}
