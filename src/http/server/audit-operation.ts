import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/errors.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../shapes/audit/audit-actions.ts';
import { type AuditAct, type AuditSource, recordAudit } from '../../store/audit/record-audit.ts';
import { countUse } from '../../store/platform/rate-counters.ts';
import type { AuditTarget, Endpoint } from '../endpoint.ts';
import type { KnownCaller } from '../request/known-caller.ts';

const HOUR_MS = 3_600_000;
/** Attempts to sign in to one workspace that are recorded. */
const REFUSALS_AN_HOUR = 100;

interface Auditing {
  endpoint: Pick<Endpoint, 'audit'>;
  data: unknown;
  caller: KnownCaller | undefined;
  auditSource: AuditSource;
}

/** True if the server records what the operation does, so that it needs a transaction. */
export const isAudited = ({ audit }: Pick<Endpoint, 'audit'>, data: unknown): boolean =>
  audit !== undefined && !audit.recordsItself && (audit.applies?.(data) ?? true);

/**
 * Runs the handler of an operation, and records what it did in the same transaction. What a failure has changed that commits is
 * recorded by its details, which are those of a result.
 */
export async function audited<T>(db: Db, auditing: Auditing, handle: () => Promise<T>): Promise<T> {
  const { endpoint, data, caller } = auditing;
  if (!isAudited(endpoint, data)) return await handle();
  const audit = endpoint.audit!;
  const before = await audit.before?.(data, { db, caller });
  try {
    const result = await handle();
    await record(db, auditing, audit.action, targetsOf(auditing, result, before));
    return result;
  } catch (error) {
    if (!(error instanceof ApiError && error.commits)) throw error;
    if (!isWrongCredential(error))
      await record(db, auditing, audit.action, targetsOf(auditing, error.details ?? {}, before));
    throw error;
  }
}

/**
 * Records that credentials in a body were wrong: once the answer is on its way, which must not take longer for an address that the
 * service knows, and only so often that attackers cannot fill the log by it.
 */
export function noteRefusal({ db, log }: Pick<Deps, 'db' | 'log'>, auditing: Auditing, error: unknown): void {
  const { refused } = auditing.endpoint.audit ?? {};
  if (!refused || !isWrongCredential(error)) return;
  const note = async () => {
    const targets = await refused.of(auditing.data, { db });
    for (const target of targets) {
      const { used } = await countUse(db, `audited refusals ${target.workspaceId}`, HOUR_MS, Date.now());
      if (used <= REFUSALS_AN_HOUR) await record(db, auditing, refused.action, [target]);
    }
  };
  note().catch((fault: unknown) => logFault(log, fault, 'the audit log lacks a refused attempt to sign in'));
}

const isWrongCredential = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 'UNAUTHENTICATED';

function targetsOf({ endpoint, data, caller }: Auditing, result: unknown, before: unknown): AuditTarget[] {
  const { action, of } = endpoint.audit!;
  const id = AUDIT_ACTIONS[action].target === 'workspace' ? caller?.workspaceId : caller?.apiKeyId;
  const states = before instanceof Map ? (before as Map<string, unknown>) : undefined;
  const targets = of ? of(data, result, caller, states ?? new Map()) : { id: id!, after: data };
  return [targets].flat().map((target) => ({ before: states ? states.get(target.id) : before, ...target }));
}

async function record(
  db: Db,
  { caller, auditSource }: Auditing,
  action: AuditAction,
  targets: readonly AuditTarget[],
): Promise<void> {
  const byPlace = Map.groupBy(targets, ({ workspaceId = caller?.workspaceId }) => workspaceId);
  for (const [workspaceId, ofPlace] of byPlace) {
    if (workspaceId === undefined) continue;
    const acts = ofPlace.map((target): AuditAct => ({ action, ...target }));
    const { actor = auditSource.actor } = ofPlace[0]!;
    await recordAudit(db, { workspaceId, apiKeyId: caller?.apiKeyId }, { ...auditSource, actor }, acts);
  }
}
