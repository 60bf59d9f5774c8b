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

/** Changes those whom a caller names; no people, nothing changed. */
interface Known {
  person<One extends Person | null | undefined>(one: One): One;
  mentions<One extends Mentions>(one: One): One;
}

const AS_SENT: Known = { person: (one) => one, mentions: (one) => one };

/**
 * Whom users assign or mention is called as the backend has it, whatever the users send: what is sent of
 * people is learnt, and mail goes to the addresses. An API key knows its users itself.
 */
export async function knownPeople(
  db: Db,
  caller: Caller,
  { people = [], mentioning = [] }: { people?: (Person | null | undefined)[]; mentioning?: Mentions[] },
): Promise<Known> {
  if (!caller.user) return AS_SENT;
  const mentions = mentioning.flatMap(({ taggedUserContacts = [] }) => taggedUserContacts);
  const userIds = new Set([
    ...people.flatMap((one) => one?.userId ?? []),
    ...mentions.map((one) => one.userId),
  ]);
  if (userIds.size === 0) return AS_SENT;
  const profiles = await listProfiles(db, caller, [...userIds]);
  const known = <One extends Person>({ name: _name, email: _email, ...person }: One): One =>
    ({ ...person, ...profiles.get(person.userId) }) as unknown as One;
  return {
    person: (one) => one && known(one),
    mentions: (one) =>
      one.taggedUserContacts
        ? {
            ...one,
            taggedUserContacts: one.taggedUserContacts.map((tag) => ({
              ...tag,
              contact: known({ ...tag.contact, userId: tag.userId }),
            })),
          }
        : one,
  };
}
