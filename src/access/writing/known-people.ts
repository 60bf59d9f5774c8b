import type { Db } from '../../db/tables.ts';
import type { Caller } from '../../lib/scope.ts';
import { listProfiles } from '../../store/users/user-profiles.ts';

interface Person {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}
interface Mentions {
  taggedUserContacts?: { userId: string; contact: Person }[] | undefined;
}

interface KnownPeople {
  person<P extends Person | null | undefined>(person: P): P;
  mentions<C extends Mentions>(comment: C): C;
}

const AS_SENT: KnownPeople = { person: (person) => person, mentions: (comment) => comment };

/**
 * Loads the profiles of the people whom a user assigns or mentions. Names and addresses that a user sends for others
 * are replaced by the stored ones, because they are stored and mail goes to these addresses. What an API key sends
 * stays as it is.
 */
export async function loadKnownPeople(
  db: Db,
  caller: Caller,
  {
    people = [],
    mentioning = [],
  }: { people?: readonly (Person | null | undefined)[]; mentioning?: readonly Mentions[] },
): Promise<KnownPeople> {
  if (!caller.user) return AS_SENT;
  const mentions = mentioning.flatMap(({ taggedUserContacts = [] }) => taggedUserContacts);
  const userIds = new Set([
    ...people.flatMap((person) => person?.userId ?? []),
    ...mentions.map(({ userId }) => userId),
  ]);
  if (userIds.size === 0) return AS_SENT;
  const profiles = await listProfiles(db, caller, [...userIds]);
  const known = <P extends Person>(person: P): P => ({
    ...person,
    name: undefined,
    email: undefined,
    ...profiles.get(person.userId),
  });
  return {
    person: (person) => person && known(person),
    mentions: (comment) =>
      comment.taggedUserContacts
        ? {
            ...comment,
            taggedUserContacts: comment.taggedUserContacts.map((tag) => ({
              ...tag,
              contact: known({ ...tag.contact, userId: tag.userId }),
            })),
          }
        : comment,
  };
}
