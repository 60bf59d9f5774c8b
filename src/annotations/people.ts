import type { Db } from '../db/tables.ts';
import type { Fields } from '../lib/json.ts';
import type { Scope } from '../lib/scope.ts';
import { mapInSlices } from '../lib/threads/in-slices.ts';
import type { Annotation } from '../shapes/annotations/annotation-record.ts';
import type { User } from '../shapes/user.ts';
import { listProfiles } from '../store/users/user-profiles.ts';

interface Peopled {
  body: Fields;
  comments: Fields[];
}

/** Where a record says who somebody is, and not just which id they have. */
const PEOPLE = ['from', 'assignedTo'] as const;

/**
 * Names and addresses are kept with the user: a record shows them as they are now, whatever they were when it
 * was written. Of users who are not kept it shows what was sent.
 */
export async function loadProfiles(
  db: Db,
  scope: Scope,
  rows: readonly Peopled[],
): Promise<(record: Annotation) => Annotation> {
  const userIds = [...new Set((await mapInSlices(rows, userIdsIn)).flat())];
  const profiles = userIds.length === 0 ? new Map<string, object>() : await listProfiles(db, scope, userIds);
  const current = <Person extends Fields | undefined>(person: Person): Person =>
    person && { ...person, ...profiles.get(person.userId as string) };
  return (record) => {
    const { resolvedByUserId, subscribedUsers } = record;
    return {
      ...record,
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
      comments: record.comments.map((comment) => ({ ...comment, from: current(comment.from) })),
    };
  };
}

function userIdsIn({ body, comments }: Peopled): string[] {
  const people = [
    ...PEOPLE.map((key) => body[key]),
    { userId: body.resolvedByUserId },
    ...Object.values((body.subscribedUsers ?? {}) as Record<string, { user: unknown }>).map(
      ({ user }) => user,
    ),
    ...comments.map((comment) => comment.from),
  ];
  return people.map((person) => (person as User | undefined)?.userId).filter((id) => typeof id === 'string');
}
