import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { activityId, targetEntityId } from '../../shapes/activity.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult, MAX_BATCH } from '../../shapes/batch.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { deleteActivities } from '../../store/notifications/activities.ts';

export default write({
  path: '/v2/activities/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete activities that match all filters, including immutable ones.',
  description:
    'With `documentId` alone, the whole log of the document is deleted. The deletion cannot be undone. Raises `activity.delete` for each deleted activity.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional(),
      activityIds: z.array(activityId).min(1).max(MAX_BATCH).optional(),
      targetEntityId: targetEntityId.optional(),
    })
    .refine((data) => (data.documentId ?? data.activityIds ?? data.targetEntityId) !== undefined, {
      error: 'At least one of documentId, activityIds or targetEntityId must be provided.',
      ...withOtherProblems,
    })
    .meta({ examples: [{ organizationId: 'acme', activityIds: ['deploy-of-build-7'] }] }),
  result: batchResult.describe(
    'Keyed by activity id: the deleted activities, and requested ones that do not exist.',
  ),
  message: 'Activity(s) deleted successfully.',

  async handle(selection, { tx, caller }) {
    const deleted = await deleteActivities(tx, caller, selection);
    const ids = new Set([...(selection.activityIds ?? []), ...deleted]);
    return Object.fromEntries(
      [...ids].map((id) => {
        const success = deleted.has(id);
        return [id, { success, id, message: success ? 'Activity deleted.' : 'Failed to delete activity.' }];
      }),
    );
  },
});
