import type { Keyring } from '../../lib/crypto.ts';
import { ApiError, invalidArgument, notFound } from '../../lib/errors.ts';
import { withoutQuery } from '../../lib/without-queries.ts';
import { type Credential, type CredentialKind, listOldCredentials } from '../../store/keys/key-ages.ts';
import { underRotationLock } from '../../store/keys/key-checks.ts';
import { getWorkspace } from '../../store/platform/workspaces.ts';
import type { CommandDeps, CommandText, Outcome } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';
import {
  inUtc,
  MAX_SECRET_GRACE_MS,
  renewKeyToken,
  renewWebhookSecret,
  renewWorkspaceToken,
} from './rotate-tokens.ts';

const COMMAND = 'redpen keys rotate-old';

interface OldRotation {
  /** Only credentials of this age. */
  olderThanMs: number;
  /** All kinds by default. */
  kinds?: readonly CredentialKind[] | undefined;
  /** Time for which the earlier ones stay valid, up to seven days. */
  graceMs: number;
  /** Lists what is old, and replaces nothing. */
  isDry?: boolean | undefined;
}

/**
 * Replaces tokens and webhook secrets of an age, of all workspaces or of one, each in a transaction of its own. Prints an
 * object a line: `{ kind, workspaceId, apiKeyId?, endpointId?, name, value, earlierUntil }`, with an ISO 8601 time or null.
 * One that cannot be replaced does not stop the others: it is named in the notice, and the exit code is 1, unless settings
 * say that it is not to be rotated.
 */
export async function rotateOld(
  deps: CommandDeps,
  workspaceId: string | undefined,
  { olderThanMs, kinds, graceMs, isDry }: OldRotation,
): Promise<CommandText | Outcome> {
  if (graceMs > MAX_SECRET_GRACE_MS) throw invalidArgument('--grace may be up to 7d.');
  if (workspaceId !== undefined && !(await getWorkspace(deps.db, workspaceId)))
    throw notFound(`There is no workspace ${workspaceId}.`);
  const listOld = async () => {
    const old = await listOldCredentials(deps.db, Date.now() - olderThanMs, workspaceId);
    return old.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  };
  if (isDry) return describe(await listOld());
  const keyring = await deps.openKeys();
  const made: string[] = [];
  const notices: string[] = [];
  let exitCode = 0;
  const replaceAll = async (requireLock: () => Promise<void>) => {
    for (const old of await listOld()) {
      await requireLock();
      try {
        made.push(JSON.stringify(await replace(deps, keyring, old, graceMs)));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 'FAILED_PRECONDITION') exitCode = 1;
        notices.push(`${labelOf(old)} is not replaced: ${error.message}`);
      }
    }
  };
  try {
    await underRotationLock(deps.db, 'tokens and secrets', replaceAll);
  } catch (error) {
    // What has been replaced until then is printed in any case.
    if (made.length === 0) throw error;
    exitCode = 1;
    notices.push(`The rotation ended early: ${(error as Error).message}`);
  }
  if (made.length + notices.length === 0) notices.push('No token or secret is that old.');
  return { output: linesOf(made), notice: linesOf(notices), exitCode, isAnswer: true };
}

const linesOf = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');

const labelOf = ({ kind, workspaceId, apiKeyId, endpointId, name }: Credential): string =>
  kind === 'webhook_secret'
    ? `The secret of the endpoint ${endpointId} of ${apiKeyId}`
    : kind === 'api_key_token'
      ? `The token ${name} of ${apiKeyId}`
      : `The token of ${workspaceId}`;

function describe(old: Credential[]): CommandText {
  const rows = old.map(({ kind, workspaceId, apiKeyId, endpointId, name, madeAt }) => [
    kind,
    inUtc(madeAt),
    endpointId ?? apiKeyId ?? workspaceId,
    withoutQuery(name),
  ]);
  return { output: table([['KIND', 'SINCE', 'OF', 'NAME'], ...rows]) };
}

/** Replaces a credential, and returns the new one for the output. */
async function replace(
  deps: CommandDeps,
  keyring: Keyring,
  old: Credential,
  graceMs: number,
): Promise<object> {
  const { kind, workspaceId, apiKeyId, endpointId, name, tokenHash } = old;
  const renewal = { until: Date.now() + graceMs, command: COMMAND };
  const earlierUntil = new Date(renewal.until).toISOString();
  if (kind === 'workspace_token') {
    const value = await renewWorkspaceToken(deps, keyring, workspaceId, renewal);
    return { kind, workspaceId, name, value, earlierUntil };
  }
  if (kind === 'api_key_token') {
    const chosen = { apiKeyId: apiKeyId!, tokenHash: tokenHash! };
    const value = await renewKeyToken(deps, keyring, chosen, renewal);
    return { kind, workspaceId, apiKeyId, name, value, earlierUntil };
  }
  const endpoint = { apiKeyId: apiKeyId!, endpointId: endpointId! };
  const { secret, previousSecretExpiresAt } = await renewWebhookSecret(deps, keyring, endpoint, {
    graceMs,
    command: COMMAND,
  });
  return {
    kind,
    workspaceId,
    ...endpoint,
    name: withoutQuery(name),
    value: secret,
    earlierUntil: previousSecretExpiresAt,
  };
}
