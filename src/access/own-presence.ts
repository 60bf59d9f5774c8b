import { invalidArgument, permissionDenied } from '../lib/errors.ts';
import type { TokenUser } from '../lib/scope.ts';
import type { PresentUser } from '../shapes/presence.ts';

/** Bytes of the additional fields of a user's own entry, which all readers of the document get. */
const MAX_OWN_BYTES = 8_192;

/** Throws PERMISSION_DENIED if a user names another user. */
export function requireOwnIds(user: TokenUser | undefined, userIds: readonly string[]): void {
  if (user && userIds.some((userId) => userId !== user.userId))
    throw permissionDenied('A user can only change their own presence.');
}

/** The entries as they are stored: a user is present under the name of their token. */
export function ownPresence(user: TokenUser | undefined, users: PresentUser[]): PresentUser[] {
  if (!user) return users;
  requireOwnIds(
    user,
    users.map(({ userId }) => userId),
  );
  if (Buffer.byteLength(JSON.stringify(users)) > MAX_OWN_BYTES)
    throw invalidArgument(`The presence of a user may have at most ${MAX_OWN_BYTES} bytes as JSON.`);
  return users.map((entry) => ({ ...entry, name: user.name, email: user.email }));
}
