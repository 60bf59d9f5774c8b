import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection, Hocuspocus } from '@hocuspocus/server';
import { storedGrants, tokenGrants } from '../../access/authorize.ts';
import { decide } from '../../access/decide.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope, TokenUser } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { loadAccessFactsOfMany } from '../../store/access/access-facts.ts';
import { findNewId } from '../../store/documents/document-migrations.ts';
import type { Cause } from '../protocol/close-codes.ts';
import { editorOf } from '../protocol/document-name.ts';
import type { AuthenticatedUser, Session, SessionClient } from '../protocol/session.ts';

/** Documents per statement, few enough that it does not delay other work. */
const BATCH = 50;

/** A migration before that was of an earlier document with the same id. */
const JUST_NOW_MS = 60_000;

interface RightsDeps {
  db: Db;
  engines(): Iterable<[Scope, Hocuspocus<Session>]>;
  verify(token: string): Promise<AuthenticatedUser>;
}

interface OpenSession {
  connection: Connection;
  client: SessionClient;
  user: TokenUser;
  token: string;
  readOnly: boolean;
}

/** Checks the rights of all connected clients again, and closes connections whose rights have changed. */
export async function recheckRights({ db, engines, verify }: RightsDeps): Promise<void> {
  for (const [scope, engine] of [...engines()]) {
    const places = [...engine.documents.values()].flatMap((document) => {
      const editor = editorOf(document.name);
      const sessions = document.getConnections().flatMap((connection): OpenSession[] => {
        const { client, user, token } = connection.context as Session;
        return user && token ? [{ connection, client, user, token, readOnly: connection.readOnly }] : [];
      });
      return editor && sessions.length > 0 ? [{ ...editor, sessions }] : [];
    });
    for (let from = 0; from < places.length; from += BATCH) {
      const part = places.slice(from, from + BATCH);
      const facts = await loadAccessFactsOfMany(
        db,
        scope,
        part.map(({ organizationId, documentId, sessions }) => ({
          organizationId,
          documentId,
          userIds: [...new Set(sessions.map(({ user }) => user.userId))],
        })),
      );
      for (const [index, { organizationId, documentId, sessions }] of part.entries()) {
        const { document, grants } = facts[index]!;
        const notice = document ? undefined : await noticeOf(db, scope, { organizationId, documentId });
        for (const { connection, client, user, token, readOnly } of sessions) {
          const own = grants.filter(({ userId }) => userId === user.userId);
          const standing = {
            isAdmin: user.isAdmin,
            grants: [...tokenGrants(user, organizationId), ...storedGrants(own)],
          };
          const role = document ? decide(document, standing, Date.now()).role : 'none';
          const cause: Cause | undefined = !(await isStillValid(token, user, verify))
            ? 'unauthenticated'
            : role === (readOnly ? 'viewer' : 'editor')
              ? undefined
              : 'forbidden';
          if (cause === 'forbidden' && notice) connection.sendStateless(JSON.stringify(notice));
          if (cause) client.close(cause);
        }
      }
      await nextTurn();
    }
  }
}

/** Says whether a missing document was deleted or migrated. Its users could read it until now, so they may know. */
async function noticeOf(db: Db, scope: Scope, place: DocumentRef): Promise<object> {
  const newDocumentId = await findNewId(db, scope, place, Date.now() - JUST_NOW_MS);
  return newDocumentId === undefined
    ? { event: 'document.delete' }
    : { event: 'document.migrate', newDocumentId };
}

/** False once a token has expired or is revoked; true while that cannot be determined. */
async function isStillValid(token: string, user: TokenUser, verify: RightsDeps['verify']): Promise<boolean> {
  if (user.expiresAt <= Date.now()) return false;
  try {
    await verify(token);
    return true;
  } catch (error) {
    return (error as { status?: string }).status !== 'UNAUTHENTICATED';
  }
}
