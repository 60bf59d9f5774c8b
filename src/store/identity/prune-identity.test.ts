import { expect, test } from 'vitest';
import { signIn } from '../../../test/people/console-session.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { createCode } from './oauth-codes.ts';
import { pruneExpired, pruneSessions } from './prune-identity.ts';

const DAY_MS = 86_400_000;

test('sessions, links, invitations, codes and tokens are pruned once they are over, and not before', async () => {
  const { deps } = await testApp();
  const { db } = deps;
  const w = await newWorkspace();
  const session = await signIn(w);
  await session.post('/v2/tokens/create', { name: 'T', scopes: ['read'], expiresInDays: 1 });
  await w.postAsWorkspace('/v2/members/invite', { email: 'a@example.com', role: 'viewer' });
  const { accountId } = session.data.account;
  const wish = { clientId: 'c', clientName: 'C', redirectUri: 'r', challenge: 'x', resource: null };
  await db.transaction().execute((tx) => createCode(tx, w, { accountId }, { ...wish, scopes: ['read'] }));
  const left = async () => ({
    sessions: (await db.selectFrom('sessions').selectAll().where('accountId', '=', accountId).execute())
      .length,
    tokens: (await db.selectFrom('personalTokens').selectAll().where('accountId', '=', accountId).execute())
      .length,
    codes: (await db.selectFrom('oauthCodes').selectAll().where('accountId', '=', accountId).execute())
      .length,
    invitations: (
      await db.selectFrom('invitations').selectAll().where('workspaceId', '=', w.workspaceId).execute()
    ).length,
  });
  const pruneAs = async (now: number) => {
    await db.transaction().execute(async (tx) => {
      await pruneSessions(tx, now);
      await pruneExpired(tx, now);
    });
    return await left();
  };
  const now = Date.now();
  expect(await pruneAs(now)).toEqual({ sessions: 1, tokens: 1, codes: 1, invitations: 1 });
  // The rows of other tests are younger, or over as well.
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: now - DAY_MS })
    .where('accountId', '=', accountId)
    .execute();
  await db
    .updateTable('oauthCodes')
    .set({ expiresAt: now - 1 })
    .where('accountId', '=', accountId)
    .execute();
  await db
    .updateTable('invitations')
    .set({ expiresAt: now - 1 })
    .where('workspaceId', '=', w.workspaceId)
    .execute();
  await db
    .updateTable('personalTokens')
    .set({ expiresAt: now - 29 * DAY_MS })
    .where('accountId', '=', accountId)
    .execute();
  expect(await pruneAs(now)).toEqual({ sessions: 0, tokens: 1, codes: 0, invitations: 0 });
  await db
    .updateTable('personalTokens')
    .set({ expiresAt: now - 31 * DAY_MS })
    .where('accountId', '=', accountId)
    .execute();
  expect(await pruneAs(now)).toEqual({ sessions: 0, tokens: 0, codes: 0, invitations: 0 });
});
