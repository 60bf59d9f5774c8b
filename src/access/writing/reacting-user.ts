import type { Tx } from '../../db/tables.ts';
import { invalidRequest } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import type { ReactionContext } from '../../store/reactions/reaction-rows.ts';
import { writingUser } from '../acting-member.ts';
import { authorize } from '../authorize.ts';

interface NamedUser {
  from?: User | undefined;
  userId?: string | undefined;
}

/** Who reacts, and what they may see. Throws PERMISSION_DENIED unless the caller may write on the document. */
export async function reactionContext(
  tx: Tx,
  caller: Caller,
  place: DocumentRef,
  named: NamedUser,
): Promise<ReactionContext> {
  const from = reactingUser(caller, named);
  await authorize(tx, caller, place, 'editor');
  const reader = await loadReader(tx, caller, place.organizationId);
  return { from, reader, loud: caller.user !== undefined };
}

/** The user who reacts: that of the token, or the one that an API key names as `from` or by `userId` alone. */
function reactingUser(caller: Caller, { from, userId }: NamedUser): User {
  const named = from ?? (userId === undefined ? undefined : { userId });
  const acting = writingUser(caller, named);
  if (!acting) throw invalidRequest([{ path: ['from'], code: 'custom', message: 'from is required.' }]);
  const { name, email } = acting;
  return {
    userId: acting.userId,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}
