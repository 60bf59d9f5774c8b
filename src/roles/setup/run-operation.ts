import { userInfo } from 'node:os';
import type { UserTokens } from '../../access/user-token.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { parseData } from '../../http/request/parse.ts';
import { audited } from '../../http/server/audit-operation.ts';
import { notifyRevocations } from '../../http/server/run-endpoint.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { ApiError, type Issue, invalidRequest } from '../../lib/errors.ts';
import {
  type AuditAct,
  type AuditSource,
  recordAudit,
  SERVICE_CHAIN,
} from '../../store/audit/record-audit.ts';

/**
 * Validates data by the schema of an operation. Messages use the operator's `names` of its fields.
 */
export function validate(
  endpoint: Endpoint,
  data: Record<string, unknown>,
  names: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a schema of its own.
): any {
  try {
    return parseData(endpoint.data, data);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { issues } = error.details as { issues: Issue[] };
    throw invalidRequest(issues.map((issue) => ({ ...issue, message: rename(issue.message, names) })));
  }
}

const rename = (message: string, names: Record<string, string>): string => {
  const field = Object.keys(names).find((name) => message.startsWith(name));
  return field === undefined ? message : message.replace(/^\S+/, names[field]!);
};

interface Operator {
  db: Db;
  keyring: Keyring;
  /** The operation runs as this caller. */
  caller: { workspaceId: string; apiKeyId?: string; authTokenId?: string };
  userTokens?: UserTokens;
  /** The command, such as `redpen key reset`. */
  command: string;
}

/** The operator as the audit log names them, with the command. */
export const byOperator = (command: string): AuditSource => ({
  actor: { kind: 'operator', name: accountOfMachine() },
  via: command,
});

/** Records a command about the service itself, which concerns no workspace. */
export const recordForService = (db: Db, command: string, ...acts: AuditAct[]): Promise<void> =>
  recordAudit(db, { workspaceId: SERVICE_CHAIN }, byOperator(command), acts);

/** The user of the machine who runs the command; undefined where the process has none, as in some containers. */
function accountOfMachine(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** Runs an operation of the API with validated data and the same effects as over HTTP. */
export async function runOperation<T>(
  endpoint: Endpoint,
  data: unknown,
  { db, keyring, caller, userTokens, command }: Operator,
): Promise<T> {
  const auditSource = byOperator(command);
  const base = { caller, keyring, userTokens, auditSource };
  const transaction = <R>(work: (tx: Tx) => Promise<R>): Promise<R> => db.transaction().execute(work);
  if (endpoint.kind === 'call') return (await endpoint.handle(data, { ...base, db, transaction })) as T;
  return await transaction(async (tx) => {
    const revoked = new Set<string>();
    const context = { ...base, tx, revoke: (id: string) => revoked.add(id) };
    const result = await audited(tx, { endpoint, data, caller, auditSource }, () =>
      endpoint.handle(data, context),
    );
    await notifyRevocations(tx, revoked);
    return result as T;
  });
}
