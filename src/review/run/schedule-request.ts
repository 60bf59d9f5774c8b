import type { Tx } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ReviewData } from '../../shapes/agents/review-fields.ts';
import type { ScheduledReview } from '../../shapes/agents/review-request.ts';
import { lockDocumentIfExists } from '../../store/documents/documents.ts';
import { checkReview } from './dispatch-review.ts';
import { requestOf } from './run-request.ts';

/** The stored part of a scheduled review. Throws if it could not be started now, but for agents that are disabled or busy. */
export async function scheduledReview(
  tx: Tx,
  scope: Scope,
  data: ReviewData,
): Promise<{ request: ScheduledReview; organizationId: string; documentId: string }> {
  const { urls, agents, preset, groupId, ranBy, organizationId = '', documentId = '' } = data;
  const run = requestOf(data);
  if (documentId !== '' && !(await lockDocumentIfExists(tx, scope, { organizationId, documentId })))
    throw notFound(`Document not found: ${documentId}`);
  await checkReview(tx, scope, { ...data, request: run });
  const request = {
    urls,
    ...(agents && { agents }),
    ...(preset && { preset }),
    ...(groupId !== undefined && { groupId }),
    ...(ranBy && { ranBy }),
    run,
  };
  return { request, organizationId, documentId };
}
