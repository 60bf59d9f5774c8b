import { type RawBuilder, sql } from 'kysely';
import type { NewJudgment } from '../../annotations/decisions/causes.ts';
import { json } from '../../db/json.ts';
import type { JudgmentTables } from '../../db/tables/judgment-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import type { Scope } from '../../lib/scope.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import {
  type JudgmentFilters,
  type JudgmentRecord,
  type MemoryPlace,
  scopeOf,
} from '../../shapes/memory/judgment.ts';

export type StoredJudgment = Omit<
  JudgmentTables['judgments'],
  'reviewWords' | 'contentWords' | 'embeddedWith' | 'claimedUntil' | 'changed'
>;

/** How much of what was reviewed an answer shows, in UTF-16 units. */
const SHOWN_CONTENT = 2_000;

export const judgmentColumns = [
  'apiKeyId',
  'judgmentId',
  'organizationId',
  'documentId',
  'annotationId',
  'commentId',
  'origin',
  'decision',
  'reasoning',
  'content',
  'contentType',
  'confidence',
  'judgeType',
  'reviewerId',
  'actionUser',
  'agent',
  'createdAt',
  'recordedAt',
] as const;

/** Which rows of `judgments`, under its own name or an alias, are in a place and pass the filters. */
export function judgmentsWhere(
  { apiKeyId }: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  alias = 'judgments',
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const { decision, decisions, judgeType, contentType, reviewerId, annotationId } = filters;
  const { from, to, excludeDocumentIds } = filters;
  const parts = [
    // Those of an annotation have an index of their own, whose keys are of this collation.
    annotationId === undefined
      ? sql`${column('api_key_id')} = ${apiKeyId}`
      : sql`${column('api_key_id')} collate "C" = ${apiKeyId}`,
    place.organizationId !== undefined && sql`${column('organization_id')} = ${place.organizationId}`,
    place.documentId !== undefined && sql`${column('document_id')} = ${place.documentId}`,
    decision !== undefined && sql`${column('decision')} = ${decision}`,
    decisions !== undefined && sql`${column('decision')} = any(cast(${[...decisions]} as text[]))`,
    judgeType !== undefined && sql`${column('judge_type')} = ${judgeType}`,
    contentType !== undefined && sql`${column('content_type')} = ${contentType}`,
    reviewerId !== undefined && sql`${column('reviewer_id')} = ${reviewerId}`,
    annotationId !== undefined && sql`${column('annotation_id')} = ${annotationId}`,
    from !== undefined && sql`${column('created_at')} >= cast(${from} as bigint)`,
    to !== undefined && sql`${column('created_at')} <= cast(${to} as bigint)`,
    excludeDocumentIds !== undefined &&
      sql`${column('document_id')} <> all(cast(${[...excludeDocumentIds]} as text[]))`,
  ].filter((part) => part !== false);
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Judgments of a place that pass the filters: the newest, newest first, or the oldest, oldest first. */
export const listJudgments = (
  db: Db,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  limit: number,
  order: 'asc' | 'desc' = 'desc',
): Promise<StoredJudgment[]> =>
  db
    .selectFrom('judgments')
    .select(judgmentColumns)
    .where(judgmentsWhere(scope, place, filters))
    .orderBy('createdAt', order)
    .orderBy('judgmentId', order)
    .limit(limit)
    .execute();

/** How many of them there are. */
export async function countJudgments(
  db: Db,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from judgments where ${judgmentsWhere(scope, place, filters)}`.execute(db);
  return rows[0]!.many;
}

/** Judgments of a place by their ids; one that is gone, or no longer passes the filters, is left out. */
export async function judgmentsById(
  db: Db,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  judgmentIds: readonly string[],
): Promise<Map<string, StoredJudgment>> {
  if (judgmentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('judgments')
    .select(judgmentColumns)
    .where(judgmentsWhere(scope, place, filters))
    .where('judgmentId', 'in', judgmentIds)
    .execute();
  return new Map(rows.map((row) => [row.judgmentId, row]));
}

/** A judgment as it is answered. */
export const judgmentRecordOf = (row: StoredJudgment): JudgmentRecord => ({
  recordId: row.judgmentId,
  reasoning: row.reasoning,
  decision: row.decision,
  confidence: row.confidence ?? 1,
  actionUser: { name: '', ...row.actionUser } as JudgmentRecord['actionUser'],
  createdAt: row.createdAt,
  scope: scopeOf({
    ...(row.organizationId !== '' && { organizationId: row.organizationId }),
    ...(row.documentId !== '' && { documentId: row.documentId }),
  }),
  agent: row.agent,
  judgeType: row.judgeType,
  contentType: row.contentType,
  content: row.content === null ? null : cutText(row.content, SHOWN_CONTENT),
  organizationId: row.organizationId || null,
  documentId: row.documentId || null,
  annotationId: row.annotationId,
  origin: row.origin,
});

/** What the event of a judgment tells of it. */
export const judgmentEventPayload = (judgment: NewJudgment): EventPayload<'memory.judgment_add'> => ({
  recordId: judgment.judgmentId,
  ...(judgment.organizationId !== '' && { organizationId: judgment.organizationId }),
  ...(judgment.documentId !== '' && { documentId: judgment.documentId }),
  ...(judgment.annotationId !== null && { annotationId: judgment.annotationId }),
  origin: judgment.origin,
  decision: judgment.decision,
  reasoning: judgment.reasoning,
  ...(judgment.mentions && { taggedUserContacts: judgment.mentions }),
  judgeType: judgment.judgeType,
  confidence: judgment.confidence ?? 1,
  actionUser: { name: '', ...judgment.actionUser } as JudgmentRecord['actionUser'],
  agent: judgment.agent,
  createdAt: judgment.createdAt,
});

/**
 * Writes judgments in the transaction of what caused them, and tells of them; one of the same id takes the place of
 * the earlier one, and waits for its vectors anew. No id may come twice. Answers which ids were new. Whoever holds
 * several judgments takes them in the order of their ids, so that no two wait for each other.
 */
export async function writeJudgments(
  tx: Tx,
  scope: Scope,
  judgments: readonly NewJudgment[],
  { quietly = false }: { quietly?: boolean } = {},
): Promise<Set<string>> {
  if (judgments.length === 0) return new Set();
  const { apiKeyId } = scope;
  const { rows } = await sql<{ judgmentId: string; isNew: boolean }>`
    insert into judgments (api_key_id, judgment_id, organization_id, document_id, annotation_id, comment_id, origin,
      decision, reasoning, content, content_type, confidence, judge_type, reviewer_id, action_user, agent, created_at,
      recorded_at)
    select ${apiKeyId}, item."judgmentId", item."organizationId", item."documentId", item."annotationId",
      item."commentId", item.origin, item.decision, item.reasoning, item.content, item."contentType",
      item.confidence, item."judgeType", item."reviewerId", item."actionUser", item.agent, item."createdAt",
      cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(judgments)}) as item("judgmentId" text, "organizationId" text,
      "documentId" text, "annotationId" text, "commentId" bigint, origin text, decision text, reasoning text,
      content text, "contentType" text, confidence double precision, "judgeType" text, "reviewerId" text,
      "actionUser" jsonb, agent jsonb, "createdAt" bigint)
    order by item."judgmentId"
    on conflict (api_key_id, judgment_id) do update set
      organization_id = excluded.organization_id, document_id = excluded.document_id,
      annotation_id = excluded.annotation_id, comment_id = excluded.comment_id, origin = excluded.origin,
      decision = excluded.decision, reasoning = excluded.reasoning, content = excluded.content,
      content_type = excluded.content_type, confidence = excluded.confidence, judge_type = excluded.judge_type,
      reviewer_id = excluded.reviewer_id, action_user = excluded.action_user, agent = excluded.agent,
      created_at = excluded.created_at,
      recorded_at = greatest(excluded.recorded_at, judgments.recorded_at + 1), embedded_with = '',
      claimed_until = 0, review_words = null, content_words = null
    returning judgment_id, (xmax = 0) as is_new`.execute(tx);
  await forgetVectors(
    tx,
    scope,
    rows.flatMap((row) => (row.isNew ? [] : [row.judgmentId])),
  );
  if (!quietly) await emitAll(tx, scope, 'memory.judgment_add', judgments.map(judgmentEventPayload));
  return new Set(rows.filter((row) => row.isNew).map((row) => row.judgmentId));
}

/** Nothing is to be found by what it no longer says. */
export async function forgetVectors(
  tx: Tx,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<void> {
  if (judgmentIds.length === 0) return;
  await sql`delete from judgment_vectors where api_key_id = ${apiKeyId}
    and judgment_id = any(cast(${[...judgmentIds]} as text[]))`.execute(tx);
}

/** Takes judgments away, with their vectors; answers the ids of those that there were. */
export async function deleteJudgments(
  tx: Tx,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ judgmentId: string }>`
    with held as materialized (
      select judgment_id from judgments
      where api_key_id = ${apiKeyId} and judgment_id = any(cast(${[...judgmentIds]} as text[]))
      order by judgment_id for update)
    delete from judgments using held
    where judgments.api_key_id = ${apiKeyId} and judgments.judgment_id = held.judgment_id
    returning judgments.judgment_id`.execute(tx);
  return new Set(rows.map((row) => row.judgmentId));
}

/** Takes away what was judged in an organization, or on some documents of it; it goes with them. */
export async function deleteJudgmentsOf(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  documentIds?: readonly string[],
): Promise<void> {
  const onDocuments = documentIds ? sql`and document_id = any(cast(${[...documentIds]} as text[]))` : sql``;
  await sql`delete from judgments where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
    ${onDocuments}`.execute(tx);
}
