import type { Db } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import { listApiKeysOf } from '../../store/platform/api-keys.ts';
import { listLargest } from '../../store/platform/stored-bytes.ts';
import {
  getWorkspace,
  listWorkspaces,
  setWorkspacePlan,
  type WorkspaceRow,
} from '../../store/platform/workspaces.ts';
import { byOperator } from '../setup/run-operation.ts';
import { table } from '../terminal/table.ts';

const unknown = (workspaceId: string) => notFound(`There is no workspace ${workspaceId}.`);
const dateOf = (at: number): string => new Date(at).toISOString();

/** Lists workspaces, one per line, with tabs between the columns. */
export async function printWorkspaces(db: Db, email: string | undefined): Promise<string> {
  const rows = await listWorkspaces(db, email?.toLowerCase());
  const lines = rows.map((row) => [
    row.workspaceId,
    row.plan,
    row.ownerEmail,
    dateOf(row.createdAt),
    row.name,
  ]);
  return table([['ID', 'PLAN', 'OWNER', 'CREATED', 'NAME'], ...lines]);
}

/** Prints a workspace and its API keys without secrets. */
export async function printWorkspace(db: Db, workspaceId: string): Promise<string> {
  const row = await getWorkspace(db, workspaceId);
  if (!row) throw unknown(workspaceId);
  const keys = await listApiKeysOf(db, workspaceId);
  const about = [
    ['Id', row.workspaceId],
    ['Name', row.name],
    ['Plan', row.plan],
    ['Owner', `${row.ownerName} <${row.ownerEmail}>`],
    ['Created', dateOf(row.createdAt)],
  ];
  return `${table(about)}\nAPI keys:\n${table(keys.map((key) => [key.apiKeyId, key.type, dateOf(key.createdAt), key.name]))}`;
}

/** Puts one workspace on a plan. */
export async function changePlan(db: Db, workspaceId: string, plan: WorkspaceRow['plan']): Promise<string> {
  const changed = await db.transaction().execute(async (tx) => {
    const before = await getWorkspace(tx, workspaceId);
    if (!(await setWorkspacePlan(tx, workspaceId, plan))) return false;
    await recordAudit(tx, { workspaceId }, byOperator('redpen workspace plan'), [
      {
        action: 'workspace.plan_changed',
        id: workspaceId,
        before: { plan: before?.plan },
        after: { plan },
      },
    ]);
    return true;
  });
  if (!changed) throw unknown(workspaceId);
  return `The workspace ${workspaceId} is on the ${plan} plan now.\n`;
}

const inMb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

/** Lists the API keys that store most, one per line. */
export async function printUsage(db: Db, limit: number): Promise<string> {
  const rows = await listLargest(db, limit);
  const lines = rows.map(({ apiKeyId, bytes, rowBytes, fileBytes, addedBytes, countedAt }) => [
    apiKeyId,
    ...[bytes, rowBytes, fileBytes, addedBytes].map(inMb),
    countedAt === null ? 'never' : new Date(countedAt).toISOString(),
  ]);
  return table([['API KEY', 'MB', 'DATABASE', 'FILES', 'ADDED SINCE', 'COUNTED'], ...lines]);
}
