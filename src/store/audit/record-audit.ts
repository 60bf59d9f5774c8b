import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { newTimedId, randomId } from '../../lib/ids.ts';
import { type Fields, isObject } from '../../lib/json.ts';
import { mapSecretShapes, REDACTED } from '../../lib/text/secret-shapes.ts';
import { withoutQueries } from '../../lib/without-queries.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditActorKind,
  type AuditTargetType,
} from '../../shapes/audit/audit-actions.ts';
import { type AuditRow, actorDigestOf, targetDigestOf } from './audit-hash.ts';

/** The chain of what concerns no workspace, such as the keys of the service. */
export const SERVICE_CHAIN = 'service';

/** The actor, with the place from which a request came. */
export interface AuditSource {
  actor: { kind: AuditActorKind; id?: string | undefined; name?: string | undefined };
  assistant?: string | undefined;
  via: string;
  requestId?: string | undefined;
  address?: string | undefined;
  userAgent?: string | undefined;
}

/** An act on one target. */
export interface AuditAct {
  action: AuditAction;
  /** Overrides the type of the action's target. */
  type?: AuditTargetType | undefined;
  id: string;
  organizationId?: string | undefined;
  documentId?: string | undefined;
  apiKeyId?: string | undefined;
  /** States before and after, in which secrets are redacted; left out if they are large. */
  before?: unknown;
  after?: unknown;
}

const MAX_CHANGES = 4_000;
const MAX_NAME = 300;
/** Rows of one statement. */
const PART = 500;

const clip = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text.slice(0, MAX_NAME).toWellFormed();

/** The rows of acts, ready to be inserted. */
export const auditRows = (
  place: { workspaceId: string; apiKeyId?: string | undefined },
  { actor, assistant, via, requestId, address, userAgent }: AuditSource,
  acts: readonly AuditAct[],
): AuditRow[] => {
  const at = Date.now();
  return acts.map(({ action, type, id, organizationId, documentId, apiKeyId, before, after }) => {
    const who = {
      actorSalt: randomId(),
      actorId: clip(actor.id),
      actorName: clip(actor.name),
      assistant: clip(assistant),
      address: clip(address),
      userAgent: clip(userAgent),
    };
    const what = { targetSalt: randomId(), targetId: id, changes: changesOf({ before, after }) };
    return {
      workspaceId: place.workspaceId,
      entryId: newTimedId('audit'),
      at,
      apiKeyId: apiKeyId ?? place.apiKeyId ?? null,
      action,
      actorKind: actor.kind,
      via,
      requestId: clip(requestId),
      targetType: type ?? AUDIT_ACTIONS[action].target,
      organizationId: organizationId ?? null,
      documentId: documentId ?? null,
      ...who,
      actorDigest: actorDigestOf(who),
      ...what,
      targetDigest: targetDigestOf(what),
      seq: null,
      previousHash: null,
      hash: null,
    };
  });
};

/** The columns that are inserted, as `auditValues` in their order. */
export const auditColumns =
  sql.raw(`workspace_id, entry_id, at, api_key_id, action, actor_kind, via, request_id,
  target_type, organization_id, document_id, actor_id, actor_name, assistant, address, user_agent, actor_salt,
  actor_digest, target_id, changes, target_salt, target_digest`);

/** The columns of `jsonb_to_recordset`; `position` is for statements that insert the rows of several changes. */
export const auditItems =
  sql.raw(`as entry("workspaceId" text, "entryId" text, at bigint, "apiKeyId" text, action text,
  "actorKind" text, via text, "requestId" text, "targetType" text, "organizationId" text, "documentId" text,
  "actorId" text, "actorName" text, assistant text, address text, "userAgent" text, "actorSalt" text,
  "actorDigest" text, "targetId" text, changes text, "targetSalt" text, "targetDigest" text, position integer)`);

export const auditValues =
  sql.raw(`entry."workspaceId", entry."entryId", entry.at, entry."apiKeyId", entry.action,
  entry."actorKind", entry.via, entry."requestId", entry."targetType", entry."organizationId", entry."documentId",
  entry."actorId", entry."actorName", entry.assistant, entry.address, entry."userAgent", entry."actorSalt",
  entry."actorDigest", entry."targetId", entry.changes, entry."targetSalt", entry."targetDigest"`);

/** The insertion of a JSON list of rows, alone or as part of a statement with other changes. */
export const auditInsertion = (rows: string) => sql`insert into audit_log (${auditColumns})
  select ${auditValues} from jsonb_to_recordset(cast(${rows} as jsonb)) ${auditItems}`;

const insertRows = prepared<{ rows: string }, unknown>((db, { rows }) => {
  const query = auditInsertion(rows);
  return { compile: () => query.compile(db) };
});

/** Inserts rows: in the transaction of the act, so that there is neither without the other. */
export async function insertAudit(db: Db, rows: readonly AuditRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += PART) {
    await insertRows(db, { rows: JSON.stringify(rows.slice(from, from + PART)) });
  }
}

/** Records acts; see `insertAudit`. */
export const recordAudit = (
  db: Db,
  place: { workspaceId: string; apiKeyId?: string | undefined },
  source: AuditSource,
  acts: readonly AuditAct[],
): Promise<void> => insertAudit(db, auditRows(place, source, acts));

/** JSON of the states that are known, without secrets; null if there is none, or if it is large. */
function changesOf({ before, after }: { before: unknown; after: unknown }): string | null {
  if (before === undefined && after === undefined) return null;
  const text = JSON.stringify(withoutSecrets({ before, after }));
  return text.length > MAX_CHANGES ? null : text;
}

function withoutSecrets(value: Fields): unknown {
  return withoutAddresses(
    mapSecretShapes(
      value,
      () => REDACTED,
      () => false,
    ),
  );
}

/** Addresses may have secrets in their queries. */
function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return withoutQueries(value).toWellFormed();
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutAddresses(inner)]));
}
