import { authTokenIdOf, createUserTokens, USER_TOKEN_HOURS } from '../../access/user-token.ts';
import generateToken from '../../api/auth/generate_token.ts';
import createKey from '../../api/workspace/apikey/create.ts';
import resetToken from '../../api/workspace/authtoken/reset.ts';
import createWorkspaceOperation from '../../api/workspace/create.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { ApiError, alreadyExists, failedPrecondition, invalidArgument, notFound } from '../../lib/errors.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import {
  type ApiKeyRow,
  type ApiKeyTokenRow,
  findApiKey,
  lastingToken,
  listApiKeys,
  listApiKeysOf,
  listTokens,
  tokenBinding,
} from '../../store/platform/api-keys.ts';
import { createWorkspace } from '../../store/platform/create-workspace.ts';
import {
  getWorkspace,
  listWorkspacesOf,
  lockFirstWorkspace,
  lockOwner,
  type WorkspaceRow,
  workspaceTokenBinding,
} from '../../store/platform/workspaces.ts';
import { byOperator, runOperation, validate } from '../setup/run-operation.ts';
import { urlOfService } from '../setup/service-address.ts';
import type { CommandDeps, CommandText } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';
import { type ClientVariables, printVariables } from './client-variables.ts';

interface Printing {
  json?: boolean | undefined;
}

/**
 * Creates the root workspace of an owner with its first API key and prints the variables of a client. If the owner has a
 * root workspace, prints the variables of that one.
 */
export async function createForOperator(
  { db, openKeys, config }: CommandDeps,
  email: string,
  {
    name,
    plan,
    another,
    json,
  }: Printing & {
    name?: string | undefined;
    plan?: 'free' | 'paid' | undefined;
    another?: boolean | undefined;
  },
): Promise<CommandText> {
  const wish = validate(
    createWorkspaceOperation,
    { ownerEmail: email, ...(name !== undefined && { workspaceName: name }) },
    { ownerEmail: 'EMAIL', workspaceName: '--name' },
  );
  const keyring = await openKeys();
  const { workspaceId, isNew } = await db.transaction().execute(async (tx) => {
    await lockFirstWorkspace(tx);
    const ownerKey = email.toLowerCase();
    await lockOwner(tx, ownerKey);
    const [root] = await listWorkspacesOf(tx, ownerKey);
    if (root && !another) return { workspaceId: root.workspaceId, isNew: false };
    if (root && plan !== undefined && plan !== root.plan) {
      throw invalidArgument(
        `--plan is for a first workspace; further ones have the plan of ${root.workspaceId}, which is ${root.plan}.`,
      );
    }
    try {
      const made = await createWorkspace(tx, keyring, wish, plan ?? config.REDPEN_PLAN);
      await recordAudit(tx, { workspaceId: made.id }, byOperator('redpen workspace create'), [
        {
          action: 'workspace.created',
          id: made.id,
          after: { name: made.name, apiKeys: Object.keys(made.apiKeyList) },
        },
      ]);
      return { workspaceId: made.id, isNew: true };
    } catch (error) {
      throw root ? explainRefusal(error, root) : error;
    }
  });
  const row = (await getWorkspace(db, workspaceId))!;
  const key = await firstUsableKey(db, keyring, workspaceId);
  const unchanged = [
    ...(name === undefined || name === row.name ? [] : ['name']),
    ...(plan === undefined || plan === row.plan ? [] : ['plan']),
  ];
  return printVariables(
    { ...ofWorkspace(row, keyring, urlOfService(config)), ...key?.variables },
    {
      json,
      notice: [
        isNew
          ? `Made the workspace ${row.workspaceId} of ${row.ownerEmail} on the ${row.plan} plan, with a first API key.`
          : `${row.ownerEmail} has the workspace ${row.workspaceId} (“${row.name}”) from before, on the ${row.plan} plan: these are its credentials.`,
        ...(isNew || unchanged.length === 0
          ? []
          : [
              `Nothing of it was changed: its ${unchanged.join(' and ')} ${unchanged.length > 1 ? 'are' : 'is'} as before.`,
            ]),
        ...(key === undefined
          ? [
              `None of its API keys has a token: redpen key list ${workspaceId} lists them, and redpen key reset KEY makes one.`,
            ]
          : []),
      ],
    },
  );
}

/** Explains the refusal of a further workspace with its remedy on the command line; other errors pass unchanged. */
function explainRefusal(error: unknown, root: WorkspaceRow): unknown {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 'PERMISSION_DENIED') {
    return failedPrecondition(
      `A further workspace of ${root.ownerEmail} needs the first one to be on the paid plan: redpen workspace plan ${root.workspaceId} paid`,
    );
  }
  return status === 'ALREADY_EXISTS'
    ? alreadyExists(
        `${root.ownerEmail} has a workspace of this name already; --name gives another one its own.`,
      )
    : error;
}

/** Prints a workspace's id and token. */
export async function printWorkspaceToken(
  { db, openKeys, config }: CommandDeps,
  workspaceId: string,
  { json }: Printing,
): Promise<CommandText> {
  const row = await requireWorkspaceOf(db, workspaceId);
  const keyring = await openKeys();
  return printVariables(ofWorkspace(row, keyring, urlOfService(config)), { json, notice: [] });
}

/** Creates an API key with a token by the operation of the API. */
export async function createKeyForOperator(
  { db, openKeys, config }: CommandDeps,
  workspaceId: string,
  { name, type, json }: Printing & { name?: string | undefined; type: 'testing' | 'production' },
): Promise<CommandText> {
  const row = await requireWorkspaceOf(db, workspaceId);
  const keyring = await openKeys();
  const wish = { ownerEmail: row.ownerEmail, type, ...(name !== undefined && { apiKeyName: name }) };
  if (type === 'production' && row.plan !== 'paid') {
    throw failedPrecondition(
      `A production key needs its workspace to be on the paid plan: redpen workspace plan ${workspaceId} paid`,
    );
  }
  const data = validate(createKey, wish, { apiKeyName: '--name', ownerEmail: 'The email of the owner' });
  const { apiKey } = await runOperation<{ apiKey: string }>(createKey, data, {
    db,
    keyring,
    caller: { workspaceId },
    command: 'redpen key create',
  });
  const token = await lastingToken(db, apiKey);
  return printVariables(
    { REDPEN_URL: urlOfService(config), ...ofToken(keyring, token!) },
    { json, notice: [`Made the ${type} key ${apiKey} in the workspace ${workspaceId}.`] },
  );
}

/** Lists the API keys of one or all workspaces, one per line, without secrets. */
export async function printKeys(db: Db, workspaceId: string | undefined): Promise<CommandText> {
  if (workspaceId !== undefined) await requireWorkspaceOf(db, workspaceId);
  const keys = await listApiKeys(db, workspaceId);
  const lines = keys.map((key) => [
    key.apiKeyId,
    key.type,
    key.workspaceId,
    String(key.tokens),
    new Date(key.createdAt).toISOString(),
    key.name,
  ]);
  return { output: table([['ID', 'TYPE', 'WORKSPACE', 'TOKENS', 'CREATED', 'NAME'], ...lines]) };
}

/** Prints the oldest token of an API key or the one with a name. */
export async function printKeyToken(
  { db, openKeys, config }: CommandDeps,
  apiKeyId: string,
  { name, json }: Printing & { name?: string | undefined },
): Promise<CommandText> {
  await requireKey(db, apiKeyId);
  const tokens = await listTokens(db, apiKeyId);
  const fitting = name === undefined ? tokens : tokens.filter((token) => token.name === name);
  const token = fitting.find(({ expiresAt }) => expiresAt === null) ?? fitting[0];
  if (token === undefined) {
    throw notFound(
      tokens.length === 0
        ? `The API key ${apiKeyId} has no token; make one with: redpen key reset ${apiKeyId}`
        : `The API key ${apiKeyId} has no token of the name ${name}, but ${namesOf(tokens)}.`,
    );
  }
  const keyring = await openKeys();
  return printVariables(
    { REDPEN_URL: urlOfService(config), ...ofToken(keyring, token) },
    {
      json,
      notice:
        fitting.length > 1
          ? [
              `The API key has ${fitting.length} tokens (${namesOf(fitting)}): this is the oldest. --token-name chooses one.`,
            ]
          : [],
    },
  );
}

const namesOf = (tokens: ApiKeyTokenRow[]): string => tokens.map(({ name }) => name).join(', ');

/** Replaces all tokens of an API key by a new one, by the operation of the API. */
export async function resetForOperator(
  { db, openKeys, config }: CommandDeps,
  apiKeyId: string,
  { json }: Printing,
): Promise<CommandText> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const keyring = await openKeys();
  await runOperation(
    resetToken,
    { apiKey: apiKeyId },
    {
      db,
      keyring,
      caller: { workspaceId },
      command: 'redpen key reset',
    },
  );
  const token = await lastingToken(db, apiKeyId);
  return printVariables(
    { REDPEN_URL: urlOfService(config), ...ofToken(keyring, token!) },
    {
      json,
      notice: [
        `The earlier token of ${apiKeyId} works no more, nor do user tokens that were made with it: at once, at the latest within 10 seconds.`,
      ],
    },
  );
}

interface UserWish extends Printing {
  organizations: string[];
  documents: string[];
  name?: string | undefined;
  email?: string | undefined;
  admin?: boolean | undefined;
  role?: 'viewer' | 'editor' | undefined;
}

/** Creates a user token under the oldest token of an API key, by the operation of the API. */
export async function makeUserToken(
  { db, openKeys }: CommandDeps,
  apiKeyId: string,
  userId: string,
  { organizations, documents, name = userId, email = '', admin = false, role, json }: UserWish,
): Promise<CommandText> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const token = await lastingToken(db, apiKeyId);
  if (token === undefined) {
    throw failedPrecondition(
      `The API key ${apiKeyId} has no token, under which user tokens are made: redpen key reset ${apiKeyId}`,
    );
  }
  const granted = { ...(role !== undefined && { accessRole: role }) };
  const resources = [
    ...organizations.map((id) => ({ type: 'organization', id, ...granted })),
    ...documents.map((place) => ({ type: 'document', ...readPlace(place), ...granted })),
  ];
  const data = validate(
    generateToken,
    { userId, userProperties: { name, email, isAdmin: admin }, permissions: { resources } },
    {
      userId: 'USER',
      'userProperties.name': '--name',
      'userProperties.email': '--email',
      'permissions.resources': 'What is granted',
    },
  );
  const keyring = await openKeys();
  const made = await runOperation<{ token: string }>(generateToken, data, {
    db,
    keyring,
    caller: { workspaceId, apiKeyId, authTokenId: authTokenIdOf(token.tokenHash) },
    userTokens: createUserTokens(db, keyring),
    command: 'redpen user-token',
  });
  return printVariables(
    { REDPEN_USER_TOKEN: made.token },
    {
      json,
      notice: [
        `A token of ${userId}, good for ${USER_TOKEN_HOURS} hours or until the token of ${apiKeyId} is reset.`,
        ...(resources.length > 0
          ? []
          : ['It grants nothing by itself: --organization ID and --document ORG/DOCUMENT do.']),
      ],
    },
  );
}

function readPlace(place: string): { organizationId: string; id: string } {
  const at = place.indexOf('/');
  if (at < 1 || at === place.length - 1) {
    throw invalidArgument(`--document takes ORGANIZATION/DOCUMENT, and not ${place}.`);
  }
  return { organizationId: place.slice(0, at), id: place.slice(at + 1) };
}

async function requireWorkspaceOf(db: Db, workspaceId: string): Promise<WorkspaceRow> {
  const row = await getWorkspace(db, workspaceId);
  if (!row) throw notFound(`There is no workspace ${workspaceId}.`);
  return row;
}

async function requireKey(db: Db, apiKeyId: string): Promise<ApiKeyRow> {
  const row = await findApiKey(db, apiKeyId);
  if (!row) throw notFound(`There is no API key ${apiKeyId}.`);
  return row;
}

const ofWorkspace = (
  { workspaceId, tokenSealed }: WorkspaceRow,
  keyring: Keyring,
  url: string | undefined,
): ClientVariables => ({
  REDPEN_URL: url,
  REDPEN_WORKSPACE_ID: workspaceId,
  REDPEN_WORKSPACE_TOKEN: keyring.open(tokenSealed, workspaceTokenBinding(workspaceId)),
});

const ofToken = (
  keyring: Keyring,
  { apiKeyId, tokenHash, tokenSealed }: ApiKeyTokenRow,
): ClientVariables => ({
  REDPEN_API_KEY: apiKeyId,
  REDPEN_AUTH_TOKEN: keyring.open(tokenSealed, tokenBinding(apiKeyId, tokenHash)),
});

/** The oldest API key that has a token. */
async function firstUsableKey(
  db: Db,
  keyring: Keyring,
  workspaceId: string,
): Promise<{ variables: ClientVariables } | undefined> {
  for (const { apiKeyId } of await listApiKeysOf(db, workspaceId)) {
    const token = await lastingToken(db, apiKeyId);
    if (token) return { variables: ofToken(keyring, token) };
  }
  return undefined;
}
