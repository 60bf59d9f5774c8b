import { z } from 'zod';
import { memberActor } from '../../access/acting-member.ts';
import { authorize } from '../../access/authorize.ts';
import { requireOwnOrganizations } from '../../access/writing/add-annotations.ts';
import {
  actorOf,
  areForAuthor,
  inOwnName,
  namedActor,
  refuseUsers,
  requireAuthor,
  requireOwnProposals,
  requireOwnViews,
} from '../../access/writing/author-rules.ts';
import { renamesOf } from '../../annotations/rename-people.ts';
import { statement } from '../../http/endpoint.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { updatedAnnotation, userChanges } from '../../shapes/annotations/annotation.ts';
import { annotationSelection } from '../../shapes/annotations/annotation-selection.ts';
import { batchResult } from '../../shapes/batch.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { annotationUpdate, type ChangedAnnotation } from '../../store/annotations/change-annotations.ts';

export default statement({
  path: ['/v2/commentannotations/update', '/v1/commentannotations/update'],
  auth: 'apiKeyOrUser',
  summary: 'Change comment annotations of a document, including their authors.',
  description:
    'All filters that are sent must match. Without a filter, an API key changes all annotations of the document; a user must name annotations. Any editor may change status, priority, assignee and suggestion; other changes are reserved for the author and admins. A viewer may change nothing, and marks a document as read with commentannotations/unread/clear. An AI assistant names the annotations on which it decides by a status, and may decide on 20 in a minute; a person may decide anew on suggestions that it has decided.',
  data: z
    .object({
      organizationId,
      documentId,
      ...annotationSelection,
      updatedData: updatedAnnotation
        .optional()
        .describe('Additional fields are stored with the annotations.'),
      updateUsers: userChanges
        .optional()
        .describe('Replaces each old user, as author and in all other roles, with the new user.'),
    })
    .refine(({ updatedData, updateUsers }) => updateUsers || Object.keys(updatedData ?? {}).length > 0, {
      ...withOtherProblems,
      error: 'At least one field of updatedData or one of updateUsers must be sent.',
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          annotationIds: ['headline'],
          updatedData: { status: { id: 'RESOLVED' }, resolvedByUserId: 'eve' },
        },
      ],
    }),
  result: batchResult.describe('Keyed by annotationId.'),
  message: 'Annotations updated successfully.',
  failures: { RESOURCE_EXHAUSTED: 'An AI assistant has decided on 20 annotations in the last minute.' },

  decisionsOfAssistant({ annotationIds, updatedData }) {
    const decision = updatedData?.suggestion?.status ?? 'pending';
    if (decision === 'pending' && !updatedData?.status) return 0;
    if (annotationIds) return new Set(annotationIds).size;
    throw invalidArgument(
      'An assistant names the annotations on which it decides: annotationIds is required.',
    );
  },

  audit: { action: 'suggestion.decided', recordsItself: true },

  async handle(
    { organizationId, documentId, updatedData, updateUsers, ...selection },
    { db, caller, auditSource },
  ) {
    const { viewedByUserIds = [], unviewedByUserIds = [], ...sent } = updatedData ?? {};
    const place = { organizationId, documentId };
    await authorize(db, caller, place, 'editor');
    if (updateUsers) refuseUsers(caller, 'updateUsers');
    requireOwnViews(caller, [...viewedByUserIds, ...unviewedByUserIds]);
    const changes = Object.keys(sent).length > 0 ? await inOwnName(db, caller, sent) : undefined;
    await requireOwnOrganizations(db, caller, place, [changes?.visibility]);
    if (caller.user && Object.values(selection).every((ids) => ids === undefined)) {
      throw invalidArgument('One of annotationIds, locationIds and userIds is required.');
    }
    const actor = actorOf(caller);
    const update = {
      selection,
      changes,
      renames: renamesOf(updateUsers ?? []),
      viewedByUserIds: actor && changes ? [...viewedByUserIds, actor.userId] : viewedByUserIds,
      unviewedByUserIds,
    };
    const change = annotationUpdate(caller, place, update, {
      reader: await loadReader(db, caller, organizationId),
      actionUser: actor ?? (changes && (namedActor(changes) ?? memberActor(caller))),
      loud: caller.user !== undefined,
      assistant: caller.assistant,
      auditSource,
      confirms: caller.user !== undefined || caller.member !== undefined,
      requireMayChange: (rows) => {
        if (!changes) return;
        if (areForAuthor(changes)) requireAuthor(caller, rows);
        requireOwnProposals(caller, rows, changes);
      },
    });
    return { statement: change, result: (rows: ChangedAnnotation[]) => Object.fromEntries(rows) };
  },
});
