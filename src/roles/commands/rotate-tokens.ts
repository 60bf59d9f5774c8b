import rotateSecret from '../../api/workspace/advancedwebhook/endpoints/secret/rotate.ts';
import type { Db } from '../../db/tables.ts';
import { notifyRevocations } from '../../http/server/run-endpoint.ts';
import { hashToken, type Keyring } from '../../lib/crypto.ts';
import { DAY_MS } from '../../lib/day.ts';
import { invalidArgument, notFound } from '../../lib/errors.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import { replaceApiKeyToken, replaceWorkspaceToken } from '../../store/keys/token-rotation.ts';
import { findApiKey, listTokens, tokenBinding } from '../../store/platform/api-keys.ts';
import { getWorkspace } from '../../store/platform/workspaces.ts';
import { listSecretAges } from '../../store/webhooks/endpoints.ts';
import { byOperator, runOperation } from '../setup/run-operation.ts';
import { urlOfService } from '../setup/service-address.ts';
import type { CommandDeps, CommandText } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';
import { printVariables } from './client-variables.ts';

interface Replacing {
  /** Time for which the earlier one stays valid. */
  graceMs: number;
  json?: boolean | undefined;
}

const SECOND_MS = 1_000;
const UNITS: Record<string, number> = { s: SECOND_MS, m: 60_000, h: 3_600_000, d: DAY_MS };
const MAX_MS = 365 * DAY_MS;

/** Milliseconds of a duration such as `90s`, `30m`, `24h` or `7d`, up to a year; undefined for another text. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS[unit]!;
  return count === undefined || ms > MAX_MS ? undefined : ms;
}

export const inUtc = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

interface Renewal {
  /** Until then, in epoch milliseconds, the earlier one stays valid. */
  until: number;
  /** The command for the audit log, such as `redpen key rotate`. */
  command: string;
}

/** Adds a token to an API key, lets the earlier one expire, and returns the new one. */
export async function renewKeyToken(
  { db, config }: CommandDeps,
  keyring: Keyring,
  { apiKeyId, name, tokenHash }: { apiKeyId: string; name?: string | undefined; tokenHash?: string },
  { until, command }: Renewal,
): Promise<string> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const fixed = config.REDPEN_INIT_AUTH_TOKEN;
  const fixedHash = fixed === undefined ? undefined : hashToken(fixed);
  const made = await db.transaction().execute(async (tx) => {
    const row = await replaceApiKeyToken(tx, keyring, { apiKeyId, name, tokenHash, until, fixedHash });
    await notifyRevocations(tx, [apiKeyId]);
    const after = { name: row.name, earlierUntil: inUtc(until) };
    await recordAudit(tx, { workspaceId }, byOperator(command), [
      { action: 'token.reset', id: apiKeyId, apiKeyId, after },
    ]);
    return row;
  });
  return keyring.open(made.tokenSealed, tokenBinding(apiKeyId, made.tokenHash));
}

/** Prints a new token of an API key; the earlier one stays valid for the grace period. */
export async function rotateKeyToken(
  deps: CommandDeps,
  apiKeyId: string,
  { tokenName, graceMs, json }: Replacing & { tokenName?: string | undefined },
): Promise<CommandText> {
  const until = Date.now() + graceMs;
  await requireKey(deps.db, apiKeyId);
  const keyring = await deps.openKeys();
  const chosen = { apiKeyId, name: tokenName };
  const token = await renewKeyToken(deps, keyring, chosen, { until, command: 'redpen key rotate' });
  return printVariables(
    { REDPEN_URL: urlOfService(deps.config), REDPEN_API_KEY: apiKeyId, REDPEN_AUTH_TOKEN: token },
    {
      json,
      notice: [
        `The earlier token of ${apiKeyId} is valid until ${inUtc(until)}, and user tokens that are made with it until they expire.`,
        `redpen key tokens ${apiKeyId} shows when each was last used.`,
      ],
    },
  );
}

/** Lists the valid tokens of an API key with their last use, without secrets. */
export async function printTokens(db: Db, apiKeyId: string): Promise<CommandText> {
  await requireKey(db, apiKeyId);
  const rows = (await listTokens(db, apiKeyId)).map(({ name, createdAt, usedAt, expiresAt }) => [
    inUtc(createdAt),
    usedAt === null ? 'never' : inUtc(usedAt),
    expiresAt === null ? 'never' : inUtc(expiresAt),
    name,
  ]);
  return { output: table([['CREATED', 'LAST USED', 'EXPIRES', 'NAME'], ...rows]) };
}

/** Gives a workspace a new token, lets the earlier one be valid for a while, and returns the new one. */
export const renewWorkspaceToken = (
  { db }: CommandDeps,
  keyring: Keyring,
  workspaceId: string,
  { until, command }: Renewal,
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const made = await replaceWorkspaceToken(tx, keyring, workspaceId, until);
    await notifyRevocations(tx, [workspaceId]);
    await recordAudit(tx, { workspaceId }, byOperator(command), [
      { action: 'workspace.token_reset', id: workspaceId, after: { earlierUntil: inUtc(until) } },
    ]);
    return made;
  });

/** Prints a new token of a workspace; the earlier one stays valid for the grace period. */
export async function rotateWorkspaceToken(
  deps: CommandDeps,
  workspaceId: string,
  { graceMs, json }: Replacing,
): Promise<CommandText> {
  if (!(await getWorkspace(deps.db, workspaceId))) throw notFound(`There is no workspace ${workspaceId}.`);
  const keyring = await deps.openKeys();
  const until = Date.now() + graceMs;
  const command = 'redpen workspace rotate-token';
  const token = await renewWorkspaceToken(deps, keyring, workspaceId, { until, command });
  return printVariables(
    {
      REDPEN_URL: urlOfService(deps.config),
      REDPEN_WORKSPACE_ID: workspaceId,
      REDPEN_WORKSPACE_TOKEN: token,
    },
    { json, notice: [`The earlier token of ${workspaceId} is valid until ${inUtc(until)}.`] },
  );
}

interface RenewedSecret {
  endpointId: string;
  secret: string;
  /** ISO 8601; null if the new secret alone signs. */
  previousSecretExpiresAt: string | null;
}

/** Gives a webhook endpoint a new secret, by the operation of the API; the earlier one also signs during the grace period. */
export async function renewWebhookSecret(
  { db }: CommandDeps,
  keyring: Keyring,
  { apiKeyId, endpointId }: { apiKeyId: string; endpointId: string },
  { graceMs, command }: { graceMs: number; command: string },
): Promise<RenewedSecret> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const data = { endpointId, gracePeriodSeconds: Math.floor(graceMs / SECOND_MS) };
  const caller = { workspaceId, apiKeyId };
  return await runOperation<RenewedSecret>(rotateSecret, data, { db, keyring, caller, command });
}

/** The longest time for which an earlier secret of a webhook endpoint may sign. */
export const MAX_SECRET_GRACE_MS = 7 * DAY_MS;

/** Prints a new secret of a webhook endpoint; the earlier one also signs during the grace period. */
export async function rotateWebhookSecret(
  deps: CommandDeps,
  apiKeyId: string,
  endpointId: string,
  { graceMs, json }: Replacing,
): Promise<CommandText> {
  await requireKey(deps.db, apiKeyId);
  const known = await listSecretAges(deps.db, { apiKeyId });
  if (!known.some((one) => one.endpointId === endpointId))
    throw notFound(
      `The API key ${apiKeyId} has no endpoint ${endpointId}: redpen webhook list ${apiKeyId} lists them.`,
    );
  if (graceMs > MAX_SECRET_GRACE_MS) throw invalidArgument('--grace may be up to 7d for a webhook secret.');
  const keyring = await deps.openKeys();
  const command = 'redpen webhook rotate-secret';
  const made = await renewWebhookSecret(deps, keyring, { apiKeyId, endpointId }, { graceMs, command });
  const until = made.previousSecretExpiresAt;
  return {
    output: json ? `${JSON.stringify({ apiKeyId, ...made }, null, 2)}\n` : `${made.secret}\n`,
    notice:
      until === null
        ? `Messages to ${endpointId} are signed with the new secret alone.\n`
        : `Messages to ${endpointId} are signed with both secrets until ${inUtc(Date.parse(until))}: give the new one to the receiver by then.\n`,
  };
}

/** Lists webhook endpoints with the age of their secret, oldest first. */
export async function printSecretAges(
  db: Db,
  apiKeyId: string | undefined,
  { olderThanMs = 0, json }: { olderThanMs?: number | undefined; json?: boolean | undefined },
): Promise<CommandText> {
  if (apiKeyId !== undefined) await requireKey(db, apiKeyId);
  const rows = await listSecretAges(db, { apiKeyId, madeBefore: Date.now() - olderThanMs });
  if (json) return { output: `${JSON.stringify(rows, null, 2)}\n` };
  const lines = rows.map((row) => [row.apiKeyId, row.endpointId, inUtc(row.secretAt), row.url]);
  return { output: table([['API KEY', 'ENDPOINT', 'SECRET SINCE', 'URL'], ...lines]) };
}

async function requireKey(db: Db, apiKeyId: string): Promise<{ workspaceId: string }> {
  const row = await findApiKey(db, apiKeyId);
  if (!row) throw notFound(`There is no API key ${apiKeyId}.`);
  return row;
}
