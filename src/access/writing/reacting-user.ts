import { invalidRequest } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { User } from '../../shapes/user.ts';
import { actingUser } from '../authorize.ts';

/** The user who reacts: that of the token, or the one that an API key names as `from` or by `userId` alone. */
export function reactingUser(
  caller: Caller,
  { from, userId }: { from?: User | undefined; userId?: string | undefined },
): User {
  const named = from ?? (userId === undefined ? undefined : { userId });
  const acting = actingUser(caller, named);
  if (!acting) throw invalidRequest([{ path: ['from'], code: 'custom', message: 'from is required.' }]);
  const { name, email } = acting;
  return {
    userId: acting.userId,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}
