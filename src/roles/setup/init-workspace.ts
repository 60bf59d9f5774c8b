import type { Logger } from 'pino';
import createOperation from '../../api/workspace/create.ts';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { notifyRevocations } from '../../http/server/answer.ts';
import { hashToken, type Keyring } from '../../lib/crypto.ts';
import { ApiError } from '../../lib/errors.ts';
import { DEFAULT_TOKEN_NAME } from '../../shapes/workspace.ts';
import { deleteTokens, findApiKey, listApiKeysOf, listTokens } from '../../store/platform/api-keys.ts';
import { createApiKey } from '../../store/platform/create-api-key.ts';
import { createWorkspace, insertNewToken, type NewWorkspace } from '../../store/platform/create-workspace.ts';
import { holdFirstWorkspace, listWorkspacesOf, lockOwner } from '../../store/platform/workspaces.ts';
import { badSettings } from '../settings/bad-settings.ts';
import { checked } from './run-operation.ts';

/** The workspace that the settings want to be there after a start. */
export interface InitialWorkspace {
  workspace: NewWorkspace;
  plan: Config['REDPEN_PLAN'];
  apiKeyId: string | undefined;
  authToken: string | undefined;
}

/** Reads it from the settings; undefined where they name none. Throws BadConfig for an email the API would refuse. */
export function readInitialWorkspace(config: Config): InitialWorkspace | undefined {
  const { REDPEN_INIT_EMAIL: ownerEmail, REDPEN_INIT_WORKSPACE: workspaceName } = config;
  if (ownerEmail === undefined) return undefined;
  try {
    return {
      workspace: checked(createOperation, { ownerEmail, workspaceName }, {}),
      plan: config.REDPEN_PLAN,
      apiKeyId: config.REDPEN_INIT_API_KEY,
      authToken: config.REDPEN_INIT_AUTH_TOKEN,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badSettings([{ setting: 'REDPEN_INIT_EMAIL', value: ownerEmail, rule: error.message }]);
  }
}

interface Change {
  workspaceId: string;
  apiKeyId: string;
  made: 'workspace' | 'key' | undefined;
  replacedToken: boolean;
}

/** Makes what is missing of it. Processes that start at once make it once. */
export async function initWorkspace(
  db: Db,
  keyring: Keyring,
  wish: InitialWorkspace,
  log: Logger,
): Promise<void> {
  const { workspaceId, apiKeyId, made, replacedToken } = await db
    .transaction()
    .execute((tx) => complete(tx, keyring, wish));
  const context = { workspaceId, apiKeyId };
  if (made === 'workspace') log.info(context, 'made the workspace of REDPEN_INIT_EMAIL');
  if (made === 'key') log.info(context, 'made the API key of REDPEN_INIT_API_KEY');
  if (replacedToken) {
    log.info(
      context,
      'the API key has the token of REDPEN_INIT_AUTH_TOKEN from now on; its earlier token works no more',
    );
  }
}

async function complete(tx: Tx, keyring: Keyring, wish: InitialWorkspace): Promise<Change> {
  const { workspace, plan, authToken } = wish;
  const { ownerEmail } = workspace;
  const ownerKey = ownerEmail.toLowerCase();
  await holdFirstWorkspace(tx);
  await lockOwner(tx, ownerKey);
  const [root] = await listWorkspacesOf(tx, ownerKey);
  const given = wish.apiKeyId === undefined ? undefined : await findApiKey(tx, wish.apiKeyId);
  if (given && given.workspaceId !== root?.workspaceId) {
    const rule = `the key belongs to the workspace ${given.workspaceId}, which is not the first one of ${ownerEmail}`;
    throw badSettings([{ setting: 'REDPEN_INIT_API_KEY', value: wish.apiKeyId, rule }]);
  }
  if (!root) {
    const created = await createWorkspace(tx, keyring, workspace, plan, wish);
    const [apiKeyId = ''] = Object.keys(created.apiKeyList);
    return { workspaceId: created.id, apiKeyId, made: 'workspace', replacedToken: false };
  }
  const { workspaceId } = root;
  const isMissing = wish.apiKeyId !== undefined && given === undefined;
  const apiKeyId = isMissing
    ? await createApiKey(tx, keyring, root, {
        apiKeyId: wish.apiKeyId,
        ownerEmail,
        type: 'testing',
        createAuthToken: false,
      })
    : (given ?? (await listApiKeysOf(tx, workspaceId))[0]!).apiKeyId;
  const made = isMissing ? 'key' : undefined;
  const before = await listTokens(tx, apiKeyId);
  const fits =
    authToken === undefined
      ? before.length > 0
      : before.some(({ tokenHash }) => tokenHash === hashToken(authToken));
  if (fits) return { workspaceId, apiKeyId, made, replacedToken: false };
  const [old] = await deleteTokens(tx, workspaceId, apiKeyId);
  const { name, domains } = old ?? { name: DEFAULT_TOKEN_NAME, domains: [] };
  await insertNewToken(tx, keyring, apiKeyId, { name, domains, token: authToken });
  await notifyRevocations(tx, [apiKeyId]);
  return { workspaceId, apiKeyId, made, replacedToken: old !== undefined };
}
