import rotateSecret from '../../api/workspace/advancedwebhook/endpoints/secret/rotate.ts';
import type { Db } from '../../db/tables.ts';
import { notifyRevocations } from '../../http/server/run-endpoint.ts';
import { hashToken } from '../../lib/crypto.ts';
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

const inUtc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Adds a token to an API key, and lets the earlier one expire after the grace period. */
export async function rotateKeyToken(
  { db, openKeys, config }: CommandDeps,
  apiKeyId: string,
  { tokenName, graceMs, json }: Replacing & { tokenName?: string | undefined },
): Promise<CommandText> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const keyring = await openKeys();
  const until = Date.now() + graceMs;
  const row = await db.transaction().execute(async (tx) => {
    const fixed = config.REDPEN_INIT_AUTH_TOKEN;
    const fixedHash = fixed === undefined ? undefined : hashToken(fixed);
    const made = await replaceApiKeyToken(tx, keyring, { apiKeyId, name: tokenName, until, fixedHash });
    await notifyRevocations(tx, [apiKeyId]);
    await recordAudit(tx, { workspaceId }, byOperator('redpen key rotate'), [
      {
        action: 'token.reset',
        id: apiKeyId,
        apiKeyId,
        after: { name: made.name, earlierUntil: inUtc(until) },
      },
    ]);
    return made;
  });
  return printVariables(
    {
      REDPEN_URL: urlOfService(config),
      REDPEN_API_KEY: apiKeyId,
      REDPEN_AUTH_TOKEN: keyring.open(row.tokenSealed, tokenBinding(apiKeyId, row.tokenHash)),
    },
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

/** Gives a workspace a new token, and lets the earlier one expire after the grace period. */
export async function rotateWorkspaceToken(
  { db, openKeys, config }: CommandDeps,
  workspaceId: string,
  { graceMs, json }: Replacing,
): Promise<CommandText> {
  if (!(await getWorkspace(db, workspaceId))) throw notFound(`There is no workspace ${workspaceId}.`);
  const keyring = await openKeys();
  const until = Date.now() + graceMs;
  const token = await db.transaction().execute(async (tx) => {
    const made = await replaceWorkspaceToken(tx, keyring, workspaceId, until);
    await notifyRevocations(tx, [workspaceId]);
    await recordAudit(tx, { workspaceId }, byOperator('redpen workspace rotate-token'), [
      { action: 'workspace.token_reset', id: workspaceId, after: { earlierUntil: inUtc(until) } },
    ]);
    return made;
  });
  return printVariables(
    { REDPEN_URL: urlOfService(config), REDPEN_WORKSPACE_ID: workspaceId, REDPEN_WORKSPACE_TOKEN: token },
    { json, notice: [`The earlier token of ${workspaceId} is valid until ${inUtc(until)}.`] },
  );
}

/** Gives a webhook endpoint a new secret, by the operation of the API; the earlier one also signs during the grace period. */
export async function rotateWebhookSecret(
  { db, openKeys }: CommandDeps,
  apiKeyId: string,
  endpointId: string,
  { graceMs, json }: Replacing,
): Promise<CommandText> {
  const { workspaceId } = await requireKey(db, apiKeyId);
  const known = await listSecretAges(db, { apiKeyId });
  if (!known.some((one) => one.endpointId === endpointId))
    throw notFound(
      `The API key ${apiKeyId} has no endpoint ${endpointId}: redpen webhook list ${apiKeyId} lists them.`,
    );
  if (graceMs > 7 * UNITS.d!) throw invalidArgument('--grace may be up to 7d for a webhook secret.');
  const keyring = await openKeys();
  const data = { endpointId, gracePeriodSeconds: Math.floor(graceMs / SECOND_MS) };
  const made = await runOperation<{ secret: string; previousSecretExpiresAt: string | null }>(
    rotateSecret,
    data,
    { db, keyring, caller: { workspaceId, apiKeyId }, command: 'redpen webhook rotate-secret' },
  );
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
