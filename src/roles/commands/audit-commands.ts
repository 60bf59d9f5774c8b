import type { Db } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import { chainAudit } from '../../store/audit/chain-audit.ts';
import { pageAudit } from '../../store/audit/list-audit.ts';
import { SERVICE_CHAIN } from '../../store/audit/record-audit.ts';
import {
  type AuditHead,
  auditHead,
  type ChainCheck,
  chainsWithEntries,
  verifyAudit,
} from '../../store/audit/verify-audit.ts';
import { getWorkspace } from '../../store/platform/workspaces.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';

/** Entries that are in memory at once. */
const PART = 5_000;

async function requireChain(db: Db, chain: string): Promise<void> {
  if (chain !== SERVICE_CHAIN && !(await getWorkspace(db, chain)))
    throw notFound(`There is no workspace ${chain}.`);
}

/** Checks the chains of one workspace or of all, and of the service. The exit code is 1 if one is broken. */
export async function verifyForOperator(db: Db, workspaceId: string | undefined): Promise<Outcome> {
  if (workspaceId !== undefined) await requireChain(db, workspaceId);
  await chainAudit(db);
  const lines: string[][] = [];
  let isWhole = true;
  for (const chain of workspaceId === undefined ? await chainsWithEntries(db) : [workspaceId]) {
    const head = await auditHead(db, chain);
    const { checked, erased, brokenAt } = await checkWhole(db, head);
    isWhole &&= brokenAt === undefined;
    const state = brokenAt ? `broken at ${brokenAt.seq}: ${brokenAt.reason}` : 'whole';
    lines.push([chain, state, String(checked), String(erased), String(head.seq), head.hash]);
  }
  const output = table([['WORKSPACE', 'CHAIN', 'CHECKED', 'ERASED', 'HEAD', 'HASH'], ...lines]);
  return { output, exitCode: isWhole ? 0 : 1, isAnswer: true };
}

async function checkWhole(db: Db, head: AuditHead): Promise<ChainCheck> {
  const total: ChainCheck = { checked: 0, erased: 0 };
  for (let after: ChainCheck['next'], first = true; first || after; first = false) {
    const { checked, erased, brokenAt, next } = await verifyAudit(db, head, { after, limit: PART });
    total.checked += checked;
    total.erased += erased;
    if (brokenAt) return { ...total, brokenAt };
    after = next;
  }
  return total;
}

/** Lists the newest entries of a workspace, or of the service. */
export async function printAudit(db: Db, chain = SERVICE_CHAIN, limit = 50): Promise<string> {
  await requireChain(db, chain);
  const rows = await pageAudit(db, chain, {}, { after: undefined, limit });
  const lines = rows.map((row) => [
    new Date(row.at).toISOString(),
    row.action,
    row.targetId ?? 'erased',
    [row.actorKind, row.actorId, row.actorName].filter((word) => word !== null).join(' '),
    row.address ?? '',
    row.via,
  ]);
  return table([['TIME', 'ACTION', 'TARGET', 'ACTOR', 'ADDRESS', 'VIA'], ...lines]);
}
