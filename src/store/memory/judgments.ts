import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { NewJudgment } from '../../annotations/decisions/build-judgment.ts';
import { prepared } from '../../db/prepared.ts';
import { anyOf, json, rowsOf } from '../../db/sql-fragments.ts';
import type { JudgmentTables } from '../../db/tables/judgment-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import type { Fields } from '../../lib/json.ts';
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

/** Limit of the reviewed content in a response, in UTF-16 units. */
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

/** Condition on `judgments` (or an alias of it): an AI assistant judged for a person. */
export const isOfAssistant = (alias = 'judgments'): RawBuilder<boolean> =>
  sql`(coalesce(${sql.ref(`${alias}.agent`)} ->> 'isAssistant', '') = 'true')`;

/** Condition on `judgments` (or an alias of it): in the place, and passing the filters. */
export function judgmentsWhere(
  { apiKeyId }: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  alias = 'judgments',
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const { decision, decisions, judgeType, contentType, reviewerId, annotationId } = filters;
  const { from, to, excludeDocumentIds, withoutAssistants } = filters;
  const parts = [
    // The index of annotations has keys of this collation.
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
    withoutAssistants !== undefined && sql`not ${isOfAssistant(alias)}`,
  ].filter((part) => part !== false);
  return sql`${sql.join(parts, sql` and `)}`;
}

/** Judgments of a place that pass the filters, by time. */
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

/** Number of judgments of a place that pass the filters. */
export async function countJudgments(
  db: Db,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
): Promise<number> {
  const { many } = await db
    .selectFrom('judgments')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where(judgmentsWhere(scope, place, filters))
    .executeTakeFirstOrThrow();
  return many;
}

/** Judgments of a place by id, without those that were deleted or do not pass the filters. */
export async function judgmentsById(
  db: Db,
  { apiKeyId }: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  judgmentIds: readonly string[],
): Promise<Map<string, StoredJudgment>> {
  if (judgmentIds.length === 0) return new Map();
  const rows = await selectById(db, {
    apiKeyId,
    judgmentIds,
    organizationId: place.organizationId ?? null,
    documentId: place.documentId ?? null,
    decision: filters.decision ?? null,
    decisions: filters.decisions ?? null,
    judgeType: filters.judgeType ?? null,
    contentType: filters.contentType ?? null,
    reviewerId: filters.reviewerId ?? null,
    annotationId: filters.annotationId ?? null,
    from: filters.from ?? null,
    to: filters.to ?? null,
    excluded: filters.excludeDocumentIds ?? null,
    withoutAssistants: filters.withoutAssistants ?? null,
  });
  return new Map(rows.map((row) => [row.judgmentId, row]));
}

type ById = { apiKeyId: string; judgmentIds: readonly string[] } & Record<TextFilter, string | null> &
  Record<'from' | 'to', number | null> &
  Record<'decisions' | 'excluded', readonly string[] | null> & { withoutAssistants: true | null };
type TextFilter = (typeof textFilters)[number];
const textFilters = [
  'organizationId',
  'documentId',
  'decision',
  'judgeType',
  'contentType',
  'reviewerId',
  'annotationId',
] as const;

/** The conditions of `judgmentsWhere`, as one statement for any of them, whose plan is kept: by the primary key. */
const selectById = prepared((db, key: ById) => {
  const unless = (value: unknown, type: string, test: RawBuilder<unknown>) =>
    sql<boolean>`(cast(${value} as ${sql.raw(type)}) is null or ${test})`;
  const equal = textFilters.map((name) => unless(key[name], 'text', sql`${sql.ref(name)} = ${key[name]}`));
  return db
    .selectFrom('judgments')
    .select(judgmentColumns)
    .where('apiKeyId', '=', key.apiKeyId)
    .where('judgmentId', '=', sql<string>`any(cast(${key.judgmentIds} as text[]))`)
    .where(sql<boolean>`${sql.join(equal, sql` and `)}`)
    .where(unless(key.decisions, 'text[]', sql`decision = any(cast(${key.decisions} as text[]))`))
    .where(unless(key.from, 'bigint', sql`created_at >= cast(${key.from} as bigint)`))
    .where(unless(key.to, 'bigint', sql`created_at <= cast(${key.to} as bigint)`))
    .where(unless(key.excluded, 'text[]', sql`document_id <> all(cast(${key.excluded} as text[]))`))
    .where(unless(key.withoutAssistants, 'boolean', sql`not ${isOfAssistant()}`));
});

/** A judgment as the API returns it. */
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

/** Payload of the event of a judgment. */
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

const writtenRow = z.object({ judgmentId: z.string(), isNew: z.boolean() });

/**
 * Upserts judgments in the transaction of their cause, and emits their events. A judgment that replaces another of the
 * same id waits for new vectors. Ids must be distinct. Returns the ids that were new. Rows are locked in order of ids,
 * like everywhere, so that writers do not deadlock.
 */
export async function writeJudgments(
  tx: Tx,
  scope: Scope,
  judgments: readonly NewJudgment[],
  { quietly = false }: { quietly?: boolean } = {},
): Promise<Set<string>> {
  if (judgments.length === 0) return new Set();
  const { apiKeyId } = scope;
  const rows = await rowsOf(
    tx,
    writtenRow,
    sql`
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
    returning judgment_id, (xmax = 0) as is_new`,
  );
  await forgetVectors(
    tx,
    scope,
    rows.flatMap((row) => (row.isNew ? [] : [row.judgmentId])),
  );
  if (!quietly) await emitAll(tx, scope, 'memory.judgment_add', judgments.map(judgmentEventPayload));
  return new Set(rows.filter((row) => row.isNew).map((row) => row.judgmentId));
}

/** Deletes vectors of judgments whose text changed. */
export async function forgetVectors(
  tx: Tx,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<void> {
  if (judgmentIds.length > 0) await deleteVectors(tx, { apiKeyId, judgmentIds: [...judgmentIds] });
}

const deleteVectors = prepared((db, row: { apiKeyId: string; judgmentIds: string[] }) =>
  db
    .deleteFrom('judgmentVectors')
    .where('apiKeyId', '=', row.apiKeyId)
    .where('judgmentId', '=', sql<string>`any(cast(${row.judgmentIds} as text[]))`),
);

/** Deletes judgments with their vectors. Returns the ids that existed. */
export async function deleteJudgments(
  tx: Tx,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .with(
      (cte) => cte('held').materialized(),
      (db) =>
        db
          .selectFrom('judgments')
          .select('judgmentId')
          .where('apiKeyId', '=', apiKeyId)
          .where('judgmentId', '=', anyOf(judgmentIds))
          .orderBy('judgmentId')
          .forUpdate(),
    )
    .deleteFrom('judgments')
    .using('held')
    .where('judgments.apiKeyId', '=', apiKeyId)
    .whereRef('judgments.judgmentId', '=', 'held.judgmentId')
    .returning('judgments.judgmentId')
    .execute();
  return new Set(rows.map((row) => row.judgmentId));
}

/** Deletes the judgments of an organization, or of some of its documents, together with them. */
export async function deleteJudgmentsOf(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  documentIds?: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('judgments')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .$if(documentIds !== undefined, (query) => query.where('documentId', '=', anyOf(documentIds ?? [])))
    .execute();
}

/** Counts those of the given judgments that exist in one of the organizations; '' stands for none. */
export async function countJudgmentsAmong(
  db: Db,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
  organizationIds: readonly string[],
): Promise<number> {
  const { many } = await db
    .selectFrom('judgments')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('apiKeyId', '=', apiKeyId)
    .where('judgmentId', '=', anyOf(judgmentIds))
    .where('organizationId', '=', anyOf(organizationIds))
    .executeTakeFirstOrThrow();
  return many;
}

/** Reviewer and reasoning by judgment; revoked judgments are missing. */
export async function reviewersOf(
  db: Db,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<Map<string, Pick<StoredJudgment, 'actionUser' | 'reasoning'>>> {
  if (judgmentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('judgments')
    .select(['judgmentId', 'actionUser', 'reasoning'])
    .where('apiKeyId', '=', apiKeyId)
    .where('judgmentId', '=', anyOf(judgmentIds))
    .execute();
  return new Map(rows.map(({ judgmentId, ...row }) => [judgmentId, row]));
}

interface AnnotationPlace {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/** Bodies of judged annotations by `judgedAnnotationKey`; deleted annotations are missing. */
export async function judgedAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  judged: readonly (Omit<AnnotationPlace, 'annotationId'> & { annotationId: string | null })[],
): Promise<Map<string, Fields>> {
  const places = judged.filter((one): one is AnnotationPlace => one.annotationId !== null);
  if (places.length === 0) return new Map();
  const { rows } = await sql<AnnotationPlace & { body: Fields }>`
    select annotations.organization_id, annotations.document_id, annotations.annotation_id, annotations.body
    from unnest(cast(${places.map((one) => one.organizationId)} as text[]),
        cast(${places.map((one) => one.documentId)} as text[]),
        cast(${places.map((one) => one.annotationId)} as text[])) as wanted (organization_id, document_id, annotation_id)
      join annotations on annotations.api_key_id = ${apiKeyId}
        and annotations.organization_id = wanted.organization_id
        and annotations.document_id = wanted.document_id
        and annotations.annotation_id = wanted.annotation_id`.execute(db);
  return new Map(rows.map(({ body, ...place }) => [judgedAnnotationKey(place), body]));
}

export const judgedAnnotationKey = (
  place: Omit<AnnotationPlace, 'annotationId'> & { annotationId: string | null },
): string => JSON.stringify([place.organizationId, place.documentId, place.annotationId]);
