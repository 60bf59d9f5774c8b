import { changesProposal } from '../../annotations/revise.ts';
import type { Db } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import { loadKnownPeople } from './known-people.ts';

/** What any editor may do to an annotation; all else is its author's. */
const SHARED = new Set([
  'status',
  'statusUpdatedByUserId',
  'resolvedByUserId',
  'assignedTo',
  'priority',
  'suggestion',
  'from',
]);

interface Authored {
  authorId: string;
}

/** The user who acts, as records and events name them; undefined for an API key. */
export const actorOf = ({ user }: Pick<Caller, 'user'>): User | undefined =>
  user && { userId: user.userId, name: user.name, email: user.email };

/** Lets through API keys, admins, and users whose annotations they all are. */
export function requireAuthor({ user }: Caller, annotations: readonly Authored[]): void {
  if (!user || user.isAdmin) return;
  if (annotations.some(({ authorId }) => authorId !== user.userId)) {
    throw permissionDenied('Only its author can do this to an annotation.');
  }
}

/** Whether changes are those of the author alone. */
export const areForAuthor = (changes: AnnotationChanges): boolean =>
  Object.entries(changes).some(([field, value]) => value !== undefined && !SHARED.has(field));

/** Lets through API keys, admins, and users who change what only their own annotations propose. */
export function requireOwnProposals(
  caller: Caller,
  annotations: readonly (Authored & { body: Record<string, unknown> })[],
  { suggestion }: AnnotationChanges,
): void {
  if (!suggestion) return;
  requireAuthor(
    caller,
    annotations.filter(({ body }) => changesProposal(body.suggestion, suggestion)),
  );
}

/**
 * The changes as the caller may make them: a user decides now and in their own name, and no change makes an
 * annotation theirs that another has written.
 */
export async function inOwnName(
  db: Db,
  caller: Caller,
  changes: AnnotationChanges,
): Promise<AnnotationChanges> {
  const { user } = caller;
  if (!user) return changes;
  const { from, status, statusUpdatedByUserId, resolvedByUserId, suggestion, ...rest } = changes;
  const { resolvedBy, resolvedAt, ...decision } = suggestion ?? {};
  const named = [
    from?.userId,
    statusUpdatedByUserId,
    resolvedByUserId,
    typeof resolvedBy === 'object' ? resolvedBy.userId : resolvedBy,
  ];
  if (named.some((userId) => typeof userId === 'string' && userId !== user.userId)) {
    throw permissionDenied('A user can only act as themselves: updatedData names somebody else.');
  }
  const { userId } = user;
  const known = await loadKnownPeople(db, caller, { people: [rest.assignedTo] });
  return {
    ...rest,
    ...(rest.assignedTo && { assignedTo: known.person(rest.assignedTo) }),
    ...(status && { status, statusUpdatedByUserId: userId, resolvedByUserId: userId }),
    ...(!status && resolvedByUserId !== undefined && { resolvedByUserId }),
    ...(suggestion && {
      suggestion: { ...decision, ...(decision.status && { resolvedBy: actorOf({ user }) }) },
    }),
  };
}

/** Lets through API keys, and users who say only of themselves what they have seen. */
export function requireOwnViews({ user }: Caller, userIds: readonly string[]): void {
  if (user && userIds.some((userId) => userId !== user.userId)) {
    throw permissionDenied('A user can only say of themselves what they have seen.');
  }
}

/** Lets through API keys alone. */
export function refuseUsers({ user }: Caller, what: string): void {
  if (user) throw permissionDenied(`A user cannot send ${what}.`);
}

/** In whose name an API key makes changes, as far as they tell. */
export function namedActor({
  from,
  statusUpdatedByUserId,
  resolvedByUserId,
  suggestion,
}: AnnotationChanges): Partial<User> | undefined {
  const named = statusUpdatedByUserId ?? resolvedByUserId ?? suggestion?.resolvedBy;
  return from ?? (typeof named === 'string' ? { userId: named } : (named ?? undefined));
}
