import type { Db } from '../../db/tables.ts';
import { version } from '../../lib/version.ts';
import type { ConsoleSession } from '../../shapes/identity/session.ts';
import { type AccountRow, getAccount } from './accounts.ts';
import { expiryOf, type SessionRow } from './sessions.ts';

/** The session of a person as the console shows it. */
export async function describeSession(
  db: Db,
  session: SessionRow,
  service: { sendsMail: boolean; publicUrl?: string | undefined },
): Promise<ConsoleSession> {
  const account = (await getAccount(db, session.accountId))!;
  const workspaces = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.workspaceId', 'members.workspaceId')
    .select(['workspaces.workspaceId', 'workspaces.name', 'members.role'])
    .where('members.accountId', '=', session.accountId)
    .orderBy('workspaces.createdAt')
    .orderBy('workspaces.workspaceId')
    .execute();
  const keys = await db
    .selectFrom('apiKeys')
    .innerJoin('members', 'members.workspaceId', 'apiKeys.workspaceId')
    .select(['apiKeys.workspaceId', 'apiKeys.apiKeyId', 'apiKeys.name'])
    .where('members.accountId', '=', session.accountId)
    .orderBy('apiKeys.createdAt')
    .orderBy('apiKeys.apiKeyId')
    .execute();
  const keysOf = Map.groupBy(keys, ({ workspaceId }) => workspaceId);
  return {
    account: presentAccount(account),
    workspaces: workspaces.map((workspace) => ({
      ...workspace,
      apiKeys: (keysOf.get(workspace.workspaceId) ?? []).map(({ apiKeyId, name }) => ({ apiKeyId, name })),
    })),
    session: {
      sessionId: session.sessionId,
      createdAt: session.createdAt,
      expiresAt: expiryOf(session),
      isCurrent: true,
    },
    service: {
      version,
      mail: service.sendsMail,
      ...(service.publicUrl !== undefined && { publicUrl: service.publicUrl }),
    },
  };
}

const presentAccount = ({ accountId, name, email }: AccountRow) => ({ accountId, name, email });
