import { permissionDenied } from '../lib/errors.ts';
import type { Caller, Member } from '../lib/scope.ts';
import type { User } from '../shapes/user.ts';
import { actingUser } from './authorize.ts';

export interface Author {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

/** A member in the form of the users in records and events. */
const userOf = ({ accountId, name, email }: Member): Author => ({
  userId: accountId,
  name,
  ...(email !== null && { email }),
});

/**
 * The author of a write. In the console, a member writes as themselves unless they name another person, as a backend may. A
 * personal token writes only as its member; naming another person throws PERMISSION_DENIED that names the `field`.
 */
export function writingUser<From extends Author | undefined>(
  caller: Caller,
  from: From,
  field = 'from',
): From | Author {
  const { member } = caller;
  if (!member) return actingUser(caller, from, field);
  const own = userOf(member);
  if (from === undefined || from.userId === own.userId) return { ...from, ...own };
  if (member.scopes === undefined) return from;
  throw permissionDenied(`A personal token can only act as its member: ${field} names another person.`);
}

/** The person who starts a run, by the same rules. */
export function runningUser(
  { member, ...scope }: Pick<Caller, 'apiKeyId' | 'workspaceId' | 'member'>,
  sent: { userId: string; name: string; email: string } | undefined,
): { userId: string; name: string; email: string } | undefined {
  if (!member) return sent;
  const { userId, name = '', email = '' } = writingUser({ ...scope, member }, sent, 'ranBy') as Author;
  return { userId, name, email };
}

/** The member as the one who changes something; undefined for other callers. */
export const memberActor = ({ member }: Caller): User | undefined => member && { ...userOf(member) };
