import type { Db } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { mapInSlices } from '../../lib/threads/in-slices.ts';
import type { Annotation } from '../../shapes/annotations/annotation-record.ts';
import type { Comment } from '../../shapes/annotations/comment-record.ts';
import type { ReactionSummary } from '../../shapes/annotations/reaction.ts';
import type { User } from '../../shapes/user.ts';
import { listProfiles, type Profile } from '../users/user-profiles.ts';

interface RowWithPeople {
  body: Fields;
  comments: Pick<Comment, 'from' | 'reactions'>[];
  reactions?: ReactionSummary[] | undefined;
}

/** Fields of a record that hold a user, not just an id. */
const PEOPLE = ['from', 'assignedTo'] as const;

/**
 * Loads the profiles of all users in the rows who are not among the `known` ones. The returned function puts the current
 * names and addresses of all into the comments of a record and a copy of it; users without a stored profile keep what was
 * sent.
 */
export async function loadCurrentProfiles(
  db: Db,
  scope: Scope,
  rows: readonly RowWithPeople[],
  known: ReadonlyMap<string, Profile>,
): Promise<(record: Annotation, withReactions: boolean) => Annotation> {
  const userIds = new Set((await mapInSlices(rows, userIdsIn)).flat());
  const others = [...userIds].filter((id) => !known.has(id));
  const found = others.length === 0 ? new Map<string, Profile>() : await listProfiles(db, scope, others);
  const current = <Person extends Fields | undefined>(person: Person): Person => {
    const userId = person?.userId as string;
    return person && { ...person, ...(known.get(userId) ?? found.get(userId)) };
  };
  const reactionsNow = (reactions: ReactionSummary[]) =>
    reactions.map((kind) => ({ ...kind, users: kind.users.map(current) }));
  return (record, withReactions) => {
    const { resolvedByUserId, subscribedUsers } = record;
    // Changed in place: a page may have thousands of comments.
    for (const comment of record.comments) {
      if (comment.from) comment.from = current(comment.from);
      if (comment.reactions) comment.reactions = reactionsNow(comment.reactions);
    }
    return {
      ...record,
      ...(withReactions && record.reactions && { reactions: reactionsNow(record.reactions) }),
      ...Object.fromEntries(
        PEOPLE.filter((key) => record[key]).map((key) => [key, current(record[key] as User)]),
      ),
      ...(typeof resolvedByUserId === 'string' && { resolvedByUser: current({ userId: resolvedByUserId }) }),
      ...(subscribedUsers !== undefined && {
        subscribedUsers: Object.fromEntries(
          Object.entries(subscribedUsers as Record<string, { user: User }>).map(([key, entry]) => [
            key,
            { ...entry, user: current(entry.user) },
          ]),
        ),
      }),
    };
  };
}

function userIdsIn({ body, comments, reactions = [] }: RowWithPeople): string[] {
  const people = [
    ...PEOPLE.map((key) => body[key]),
    { userId: body.resolvedByUserId },
    ...Object.values((body.subscribedUsers ?? {}) as Record<string, { user: unknown }>).map(
      ({ user }) => user,
    ),
    ...comments.map((comment) => comment.from),
    ...[...reactions, ...comments.flatMap((comment) => comment.reactions ?? [])].flatMap(
      ({ users }) => users,
    ),
  ];
  return people.map((person) => (person as User | undefined)?.userId).filter((id) => typeof id === 'string');
}
