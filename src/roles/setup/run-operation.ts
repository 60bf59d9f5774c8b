import type { UserTokens } from '../../access/user-token.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { parseData } from '../../http/request/parse.ts';
import { notifyRevocations } from '../../http/server/answer.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { ApiError, type Issue, invalidRequest } from '../../lib/errors.ts';

/**
 * The data of an operation, checked by its own rules. `names` says what the operator calls its fields; problems are
 * told under those names.
 */
export function checked(
  endpoint: Endpoint,
  data: Record<string, unknown>,
  names: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a shape of its own, as the server's list does.
): any {
  try {
    return parseData(endpoint.data, data);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { issues } = error.details as { issues: Issue[] };
    throw invalidRequest(issues.map((issue) => ({ ...issue, message: renamed(issue.message, names) })));
  }
}

const renamed = (message: string, names: Record<string, string>): string => {
  const field = Object.keys(names).find((name) => message.startsWith(name));
  return field === undefined ? message : message.replace(/^\S+/, names[field]!);
};

interface Operator {
  db: Db;
  keyring: Keyring;
  /** As whom the operation runs. */
  caller: { workspaceId: string; apiKeyId?: string; authTokenId?: string };
  userTokens?: UserTokens;
}

/** Runs an operation of the API with checked data, without HTTP: it changes and revokes what it would over HTTP. */
export async function operate<T>(
  endpoint: Endpoint,
  data: unknown,
  { db, keyring, caller, userTokens }: Operator,
): Promise<T> {
  const base = { caller, keyring, userTokens };
  const transaction = <R>(work: (tx: Tx) => Promise<R>): Promise<R> => db.transaction().execute(work);
  if (endpoint.kind === 'call') return (await endpoint.handle(data, { ...base, db, transaction })) as T;
  return await transaction(async (tx) => {
    const revoked = new Set<string>();
    const result = await endpoint.handle(data, { ...base, tx, revoke: (id: string) => revoked.add(id) });
    await notifyRevocations(tx, revoked);
    return result as T;
  });
}
