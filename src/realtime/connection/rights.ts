import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hocuspocus } from '@hocuspocus/server';
import { heldByStore, heldByToken } from '../../access/admit.ts';
import { decide } from '../../access/decide.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope, TokenUser } from '../../lib/scope.ts';
import { loadAccessFactsOfMany } from '../../store/access/access-facts.ts';
import type { Cause } from '../protocol/close-codes.ts';
import { editorOf } from '../protocol/document-name.ts';
import type { Verified } from './gate-parts.ts';
import type { Gateway, Session } from './hooks.ts';

/** Documents that one statement looks at: few enough that others need not wait for it. */
const AT_ONCE = 50;

interface Parts {
  db: Db;
  engines(): Iterable<[Scope, Hocuspocus<Session>]>;
  verify(token: string): Promise<Verified>;
}

interface Held {
  gate: Gateway;
  user: TokenUser;
  token: string;
  readOnly: boolean;
}

/** Looks at the rights of everybody connected once more, and closes the connections of those whose rights changed. */
export async function checkRights({ db, engines, verify }: Parts): Promise<void> {
  for (const [scope, engine] of [...engines()]) {
    const places = [...engine.documents.values()].flatMap((document) => {
      const editor = editorOf(document.name);
      const held = document.getConnections().flatMap(({ context, readOnly }): Held[] => {
        const { gate, user, token } = context as Session;
        return user && token ? [{ gate, user, token, readOnly }] : [];
      });
      return editor && held.length > 0 ? [{ ...editor, held }] : [];
    });
    for (let from = 0; from < places.length; from += AT_ONCE) {
      const part = places.slice(from, from + AT_ONCE);
      const facts = await loadAccessFactsOfMany(
        db,
        scope,
        part.map(({ organizationId, documentId, held }) => ({
          organizationId,
          documentId,
          userIds: [...new Set(held.map(({ user }) => user.userId))],
        })),
      );
      for (const [index, { organizationId, held }] of part.entries()) {
        const { document, grants } = facts[index]!;
        for (const { gate, user, token, readOnly } of held) {
          const own = grants.filter(({ userId }) => userId === user.userId);
          const standing = {
            isAdmin: user.isAdmin,
            grants: [...heldByToken(user, organizationId), ...heldByStore(own)],
          };
          const role = document ? decide(document, standing, Date.now()).role : 'none';
          const cause: Cause | undefined = !(await isGood(token, user, verify))
            ? 'unauthenticated'
            : role === (readOnly ? 'viewer' : 'editor')
              ? undefined
              : 'forbidden';
          if (cause) gate.close(cause);
        }
      }
      await nextTurn();
    }
  }
}

/** Whether a token is still one; while that cannot be told, it is. */
async function isGood(token: string, user: TokenUser, verify: Parts['verify']): Promise<boolean> {
  if (user.expiresAt <= Date.now()) return false;
  try {
    await verify(token);
    return true;
  } catch (error) {
    return (error as { status?: string }).status !== 'UNAUTHENTICATED';
  }
}
