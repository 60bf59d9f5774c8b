import type { Logger } from 'pino';
import createOperation from '../../api/workspace/create.ts';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { notifyRevocations } from '../../http/server/run-endpoint.ts';
import { hashToken, type Keyring } from '../../lib/crypto.ts';
import { ApiError } from '../../lib/errors.ts';
import { DEFAULT_TOKEN_NAME } from '../../shapes/workspace.ts';
import { type AuditAct, recordAudit } from '../../store/audit/record-audit.ts';
import { deleteTokens, findApiKey, listApiKeysOf, listTokens } from '../../store/platform/api-keys.ts';
import { createApiKey } from '../../store/platform/create-api-key.ts';
import { createWorkspace, insertNewToken, type NewWorkspace } from '../../store/platform/create-workspace.ts';
import { listWorkspacesOf, lockFirstWorkspace, lockOwner } from '../../store/platform/workspaces.ts';
import { badSettings } from '../settings/bad-settings.ts';
import { byOperator, validate } from './run-operation.ts';

/** The workspace that a start creates if it is missing. */
export interface InitialWorkspace {
  workspace: NewWorkspace;
  plan: Config['REDPEN_PLAN'];
  apiKeyId: string | undefined;
  authToken: string | undefined;
}

/** Reads the initial workspace from the settings. Throws BadConfig for an email address that the API would refuse. */
export function readInitialWorkspace(config: Config): InitialWorkspace | undefined {
  const { REDPEN_INIT_EMAIL: ownerEmail, REDPEN_INIT_WORKSPACE: workspaceName } = config;
  if (ownerEmail === undefined) return undefined;
  try {
    return {
      workspace: validate(createOperation, { ownerEmail, workspaceName }, {}),
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

/** Creates what is missing of the initial workspace. Concurrent starts create it once. */
export async function initWorkspace(
  db: Db,
  keyring: Keyring,
  wanted: InitialWorkspace,
  log: Logger,
): Promise<void> {
  const { workspaceId, apiKeyId, made, replacedToken } = await db
    .transaction()
    .execute((tx) => complete(tx, keyring, wanted));
  const context = { workspaceId, apiKeyId };
  if (made === 'workspace') log.info(context, 'created the workspace of REDPEN_INIT_EMAIL');
  if (made === 'key') log.info(context, 'created the API key of REDPEN_INIT_API_KEY');
  if (replacedToken) {
    log.info(
      context,
      'replaced the token of the API key by REDPEN_INIT_AUTH_TOKEN; the earlier token is no longer valid',
    );
  }
}

async function complete(tx: Tx, keyring: Keyring, wanted: InitialWorkspace): Promise<Change> {
  const { workspace, plan, authToken } = wanted;
  const { ownerEmail } = workspace;
  const ownerKey = ownerEmail.toLowerCase();
  await lockFirstWorkspace(tx);
  await lockOwner(tx, ownerKey);
  const [root] = await listWorkspacesOf(tx, ownerKey);
  const given = wanted.apiKeyId === undefined ? undefined : await findApiKey(tx, wanted.apiKeyId);
  if (given && given.workspaceId !== root?.workspaceId) {
    const rule = `the key belongs to the workspace ${given.workspaceId}, which is not the first one of ${ownerEmail}`;
    throw badSettings([{ setting: 'REDPEN_INIT_API_KEY', value: wanted.apiKeyId, rule }]);
  }
  if (!root) {
    const created = await createWorkspace(tx, keyring, workspace, plan, wanted);
    const [apiKeyId = ''] = Object.keys(created.apiKeyList);
    await record(tx, created.id, {
      action: 'workspace.created',
      id: created.id,
      after: { name: created.name },
    });
    return { workspaceId: created.id, apiKeyId, made: 'workspace', replacedToken: false };
  }
  const { workspaceId } = root;
  const isMissing = wanted.apiKeyId !== undefined && given === undefined;
  const apiKeyId = isMissing
    ? await createApiKey(tx, keyring, root, {
        apiKeyId: wanted.apiKeyId,
        ownerEmail,
        type: 'testing',
        createAuthToken: false,
      })
    : (given ?? (await listApiKeysOf(tx, workspaceId))[0]!).apiKeyId;
  const made = isMissing ? 'key' : undefined;
  if (isMissing) await record(tx, workspaceId, { action: 'key.created', id: apiKeyId, apiKeyId });
  const before = await listTokens(tx, apiKeyId);
  const fits =
    authToken === undefined
      ? before.length > 0
      : before.some(({ tokenHash }) => tokenHash === hashToken(authToken));
  if (fits) return { workspaceId, apiKeyId, made, replacedToken: false };
  const [old] = await deleteTokens(tx, workspaceId, apiKeyId);
  const { name, domains } = old ?? { name: DEFAULT_TOKEN_NAME, domains: [] };
  await insertNewToken(tx, keyring, apiKeyId, { name, domains, token: authToken });
  await record(tx, workspaceId, { action: 'token.reset', id: apiKeyId, apiKeyId });
  await notifyRevocations(tx, [apiKeyId]);
  return { workspaceId, apiKeyId, made, replacedToken: old !== undefined };
}

const record = (tx: Tx, workspaceId: string, act: AuditAct): Promise<void> =>
  recordAudit(tx, { workspaceId }, byOperator('REDPEN_INIT_EMAIL'), [act]);

/** Warns if anyone who reaches the service from another machine may create workspaces. */
export function warnOfOpenSignup(config: Config, log: Logger): void {
  const { HOST: host, REDPEN_PUBLIC_URL: publicUrl } = config;
  const isReached =
    !isLoopback(host) || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
  if (config.REDPEN_SIGNUP !== 'open' || !config.REDPEN_ROLES.includes('api') || !isReached) return;
  log.warn(
    { host, publicUrl },
    'anyone who reaches this service can create workspaces; set REDPEN_SIGNUP to closed or first',
  );
}

const isLoopback = (host: string): boolean => /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host);
