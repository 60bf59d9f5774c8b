import { type PreparedComment, prepareComments } from '../../annotations/comment-draft.ts';
import { type AnnotationDraft, draftAnnotation } from '../../annotations/draft.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { ApiError, type Issue, invalidRequest, permissionDenied } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Caller } from '../../lib/scope.ts';
import type { Visibility } from '../../shapes/annotations/annotation.ts';
import type { NewAnnotation } from '../../shapes/annotations/new-annotation.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { actingUser, type Place, rolesOnDocument } from '../admit.ts';
import { identifyAgents } from './identify-agents.ts';
import { knownPeople } from './known-people.ts';

export interface Accepted {
  drafts: AnnotationDraft[];
  /** Under which key the answer tells of each that an author may not write. */
  denied: Map<string, NewAnnotation>;
}

/**
 * Makes annotations ready to be stored, with all that is wrong with any of them told at once. Of an id that is
 * sent twice the later one counts. With `verify`, those of authors who may not write on the document are left out.
 */
export async function acceptAnnotations(
  tx: Tx,
  caller: Caller,
  place: Place,
  annotations: readonly NewAnnotation[],
  { verify }: { verify: boolean },
): Promise<Accepted> {
  await requireOwnOrganizations(
    tx,
    caller,
    place,
    annotations.map(({ visibility }) => visibility),
  );
  const sent = annotations.flatMap(({ commentData }) => commentData);
  const known = await knownPeople(tx, caller, {
    people: annotations.map(({ assignedTo }) => assignedTo),
    mentioning: sent,
  });
  const agents = await identifyAgents(tx, caller, sent.map(known.mentions));
  const now = Date.now();
  const drafts = new Map<string, AnnotationDraft>();
  const positions = new Map<string, number>();
  const issues: Issue[] = [];
  const byUser = caller.user !== undefined;
  let taken = 0;
  for (const [index, annotation] of annotations.entries()) {
    const from = taken;
    taken += annotation.commentData.length;
    const made = (byUser ? undefined : annotation.createdAt) ?? now;
    const comments = agents
      .slice(from, taken)
      .map((comment) => ({ createdAt: made, ...comment, from: actingUser(caller, comment.from) }));
    const annotationId = annotation.annotationId ?? newId('ann');
    const path = ['commentAnnotations', index, 'commentData'];
    const prepared = orIssues(issues, () => prepareComments(comments, { now, byUser, path }));
    if (!prepared) continue;
    const described = { ...annotation, assignedTo: known.person(annotation.assignedTo) };
    const circumstances = { apiKeyId: caller.apiKeyId, ...place, annotationId, now, byUser };
    drafts.set(annotationId, draftAnnotation(described, inOrder(prepared, made), circumstances));
    positions.set(annotationId, index);
  }
  if (issues.length > 0) throw invalidRequest(issues);
  const denied = verify ? await withoutAccess(tx, caller, place, [...drafts.values()]) : new Set<string>();
  return {
    drafts: [...drafts.values()].filter(({ row }) => !denied.has(row.annotationId)),
    denied: new Map(
      [...denied].map((annotationId) => {
        const index = positions.get(annotationId)!;
        const annotation = annotations[index]!;
        return [annotation.annotationId ?? `__redpen_denied:${index}`, annotation];
      }),
    ),
  };
}

/** Comments are listed by when they were made, so those without a time of their own come a moment after one another. */
const inOrder = (comments: readonly PreparedComment[], made: number): PreparedComment[] =>
  comments.map((comment, index) =>
    comment.createdAt === made
      ? { ...comment, createdAt: made + index, lastUpdated: Math.max(made + index, comment.lastUpdated) }
      : comment,
  );

/** What work gives, or undefined where the request is at fault: then its faults join the others. */
function orIssues<T>(issues: Issue[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const found =
      error instanceof ApiError ? (error.details as { issues?: Issue[] } | undefined)?.issues : undefined;
    if (!found) throw error;
    issues.push(...found);
    return undefined;
  }
}

/** Those with a comment of somebody who may not write on the document; agents are no users of it. */
async function withoutAccess(
  db: Db,
  caller: Caller,
  place: Place,
  drafts: readonly AnnotationDraft[],
): Promise<Set<string>> {
  const authorsOf = ({ comments }: AnnotationDraft) =>
    comments.filter(({ body }) => !body.agent).map(({ from }) => from.userId);
  const roles = await rolesOnDocument(db, caller, place, [...new Set(drafts.flatMap(authorsOf))]);
  return new Set(
    drafts
      .filter((draft) => authorsOf(draft).some((userId) => roles.get(userId) !== 'editor'))
      .map(({ row }) => row.annotationId),
  );
}

/** A user shows what they write to their own organizations at most. */
export async function requireOwnOrganizations(
  db: Db,
  caller: Caller,
  { organizationId }: Place,
  visibilities: readonly (Visibility | undefined)[],
): Promise<void> {
  if (!caller.user) return;
  const foreign = visibilities
    .flatMap((visibility) =>
      visibility?.type === 'organizationPrivate'
        ? [visibility.organizationId ?? [], visibility.organizationIds ?? []].flat()
        : [],
    )
    .filter((id) => id !== organizationId);
  if (foreign.length === 0) return;
  const reader = await loadReader(db, caller, organizationId);
  if (!foreign.every((id) => reader?.organizationIds.includes(id))) {
    throw permissionDenied('visibility names an organization that the user does not belong to.');
  }
}
