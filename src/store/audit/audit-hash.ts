import type { AuditTables } from '../../db/tables/audit-tables.ts';
import { sha256 } from '../../lib/crypto.ts';

export type AuditRow = AuditTables['auditLog'];

/** The hash before the first entry of a chain. */
export const FIRST_HASH = '0'.repeat(64);

type Actor = Pick<AuditRow, 'actorSalt' | 'actorId' | 'actorName' | 'assistant' | 'address' | 'userAgent'>;
type Target = Pick<AuditRow, 'targetSalt' | 'targetId' | 'changes'>;

/** The digest of who acted from where. The salt keeps an erased name or address from being guessed. */
export const actorDigestOf = (row: Actor): string =>
  digest([row.actorSalt, row.actorId, row.actorName, row.assistant, row.address, row.userAgent]);

/** The digest of what was changed. */
export const targetDigestOf = (row: Target): string => digest([row.targetSalt, row.targetId, row.changes]);

/** The hash of an entry at its place in the chain, over everything that is never erased. */
export const entryHashOf = (row: AuditRow, seq: number, previousHash: string): string =>
  digest([
    'redpen audit 1',
    row.workspaceId,
    seq,
    row.entryId,
    row.at,
    row.apiKeyId,
    row.action,
    row.actorKind,
    row.via,
    row.requestId,
    row.targetType,
    row.organizationId,
    row.documentId,
    row.actorDigest,
    row.targetDigest,
    previousHash,
  ]);

/** A list of texts, numbers and nulls has one form in JSON, which other programs can make as well. */
const digest = (values: (string | number | null)[]): string => sha256(JSON.stringify(values));
