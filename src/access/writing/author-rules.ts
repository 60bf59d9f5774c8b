import { changesProposal } from '../../annotations/revise-annotation.ts';
import type { Db } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Caller } from '../../lib/scope.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import { type Author, writingUser } from '../acting-member.ts';
import { actingUser } from '../authorize.ts';
import { loadKnownPeople } from './known-people.ts';

/** Fields that any editor may change; all others belong to the author. */
const SHARED_FIELDS = new Set([
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

/** The acting user in the form of records and events; undefined for an API key. */
export const actorOf = ({ user }: Pick<Caller, 'user'>): User | undefined =>
  user && { userId: user.userId, name: user.name, email: user.email };

/** Throws PERMISSION_DENIED for users other than admins unless they are the author of all annotations. */
export function requireAuthor({ user }: Caller, annotations: readonly Authored[]): void {
  if (!user || user.isAdmin) return;
  if (annotations.some(({ authorId }) => authorId !== user.userId)) {
    throw permissionDenied('Only its author can do this to an annotation.');
  }
}

/** True if the changes include a field that belongs to the author. */
export const areForAuthor = (changes: AnnotationChanges): boolean =>
  Object.entries(changes).some(([field, value]) => value !== undefined && !SHARED_FIELDS.has(field));

/** Throws PERMISSION_DENIED for users other than admins who change the proposal of another author's suggestion. */
export function requireOwnProposals(
  caller: Caller,
  annotations: readonly (Authored & { body: Fields })[],
  { suggestion }: AnnotationChanges,
): void {
  if (!suggestion) return;
  requireAuthor(
    caller,
    annotations.filter(({ body }) => changesProposal(body.suggestion, suggestion)),
  );
}

/**
 * Restricts changes to those that a user may make: statuses and decisions get their name and the current time, and
 * `from` is dropped, since no user becomes the author of an annotation. Naming another user throws PERMISSION_DENIED.
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

/** Throws PERMISSION_DENIED for users who mark annotations as viewed by others. */
export function requireOwnViews({ user }: Caller, userIds: readonly string[]): void {
  if (user && userIds.some((userId) => userId !== user.userId)) {
    throw permissionDenied('A user can only say of themselves what they have seen.');
  }
}

/** Throws PERMISSION_DENIED for users. */
export function refuseUsers({ user }: Caller, what: string): void {
  if (user) throw permissionDenied(`A user cannot send ${what}.`);
}

/** The user that an API key's changes name as actor, if any. */
export function namedActor({
  from,
  statusUpdatedByUserId,
  resolvedByUserId,
  suggestion,
}: AnnotationChanges): Partial<User> | undefined {
  const named = statusUpdatedByUserId ?? resolvedByUserId ?? suggestion?.resolvedBy;
  return from ?? (typeof named === 'string' ? { userId: named } : (named ?? undefined));
}

/** The author of a new comment. One of an agent need not have a person, unless a personal token writes it. */
export const authorOf = <From extends Author | undefined>(
  caller: Caller,
  { from, agent }: { from?: From; agent?: object | null | undefined },
): From | Author | undefined =>
  agent && !caller.member?.scopes ? actingUser(caller, from) : writingUser(caller, from);
