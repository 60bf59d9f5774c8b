import type { Tx } from '../../db/tables.ts';
import { hashToken, type Keyring, newSecret } from '../../lib/crypto.ts';
import { alreadyExists, permissionDenied, resourceExhausted } from '../../lib/errors.ts';
import { randomId } from '../../lib/ids.ts';
import { DEFAULT_TOKEN_NAME, type Workspace } from '../../shapes/workspace.ts';
import { insertApiKey, insertApiKeyToken, tokenBinding } from './api-keys.ts';
import { insertWorkspace, listWorkspacesOf, lockOwner, newWorkspaceToken } from './workspaces.ts';

const MAX_PER_OWNER = 5;

export interface NewWorkspace {
  ownerEmail: string;
  name?: string | undefined;
  workspaceName?: string | undefined;
  avatar?: string | undefined;
}

/** Id and token of the first API key; generated if left out. */
interface GivenKey {
  apiKeyId?: string | undefined;
  authToken?: string | undefined;
}

/** Creates a workspace with a testing API key and a token. The first workspace of an email is the owner's root. */
export async function createWorkspace(
  tx: Tx,
  keyring: Keyring,
  { ownerEmail, name, workspaceName, avatar }: NewWorkspace,
  rootPlan: 'free' | 'paid',
  given: GivenKey = {},
): Promise<Workspace> {
  const ownerKey = ownerEmail.toLowerCase();
  const fullName = workspaceName ?? `${name ?? ownerEmail} workspace`;
  await lockOwner(tx, ownerKey);
  const existing = await listWorkspacesOf(tx, ownerKey);
  const root = existing[0];
  if (existing.length >= MAX_PER_OWNER) {
    throw resourceExhausted(
      'You have reached the maximum number of workspaces allowed for this email address.',
    );
  }
  if (root && root.plan !== 'paid') {
    throw permissionDenied(
      'Creating an additional workspace requires your root workspace to be on a paid plan (a production API key).',
    );
  }
  if (existing.some((other) => other.name === fullName)) {
    throw alreadyExists('A workspace already exists for this email address');
  }

  const createdAt = Date.now();
  const workspaceId = `ws_${randomId()}`;
  const apiKeyId = given.apiKeyId ?? `key_${randomId()}`;
  const { token: authToken, columns } = newWorkspaceToken(keyring, workspaceId);
  const owner = {
    email: ownerEmail,
    id: root?.ownerId ?? `owner_${randomId()}`,
    name: name ?? ownerEmail,
    avatar: avatar ?? '',
  };
  await insertWorkspace(tx, {
    workspaceId,
    name: fullName,
    ownerId: owner.id,
    ownerName: owner.name,
    ownerEmail,
    ownerKey,
    ownerAvatar: owner.avatar,
    plan: root?.plan ?? rootPlan,
    ...columns,
    createdAt,
  });
  const key = { apiKeyName: `${localName(ownerEmail)} Test API Key`, id: apiKeyId, type: 'testing' as const };
  await insertApiKey(tx, {
    apiKeyId,
    workspaceId,
    name: key.apiKeyName,
    type: key.type,
    ownerEmail,
    allowedDomains: [],
    config: {},
    createdAt,
  });
  const token = { name: DEFAULT_TOKEN_NAME, domains: [], token: given.authToken };
  await insertNewToken(tx, keyring, apiKeyId, token);
  return { id: workspaceId, name: fullName, owner, authToken, apiKeyList: { [apiKeyId]: key } };
}

/** Stores a token of an API key, by default a new one, and returns it in plain text. */
export async function insertNewToken(
  tx: Tx,
  keyring: Keyring,
  apiKeyId: string,
  {
    name,
    domains,
    token = newSecret('akt'),
  }: { name: string; domains: string[]; token?: string | undefined },
): Promise<{ token: string; name: string; domains: string[] }> {
  const tokenHash = hashToken(token);
  await insertApiKeyToken(tx, {
    apiKeyId,
    tokenHash,
    tokenSealed: keyring.seal(token, tokenBinding(apiKeyId, tokenHash)),
    name,
    domains,
    createdAt: Date.now(),
  });
  return { token, name, domains };
}

/** The part of an email before the @, capitalized. */
export function localName(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  return `${local.charAt(0).toUpperCase()}${local.slice(1)}`;
}
