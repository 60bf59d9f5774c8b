import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DELETED_USER } from '../../lib/erase-people.ts';
import type { Scope } from '../../lib/scope.ts';

/** Keyset cursor of a page of judgments, newest first. */
export interface JudgmentCursor {
  createdAt: number;
  judgmentId: string;
}

const afterCursor = (after: JudgmentCursor | undefined) =>
  after
    ? sql`and (judgments.created_at, judgments.judgment_id) < (cast(${after.createdAt} as bigint), ${after.judgmentId})`
    : sql``;

/** Excludes judgments made under prompt injection. */
const isTrusted = sql<boolean>`coalesce(judgments.agent ->> 'injected', '') <> 'true'`;
const takesSides = sql`judgments.decision in ('approve', 'agree', 'endorse', 'reject', 'disagree')`;

export interface DecidedRow extends JudgmentCursor {
  organizationId: string;
  contentType: string;
  decision: string;
  reviewerId: string;
  annotationId: string | null;
  /** Vectors of the first windows, in stored form. */
  review: Uint8Array | null;
  content: Uint8Array | null;
}

const vectorOf = (kind: 'review' | 'content', model: string) => sql`(
  select vectors.embedding from judgment_vectors as vectors
  where vectors.api_key_id = judgments.api_key_id and vectors.judgment_id = judgments.judgment_id
    and vectors.kind = ${kind} and vectors.window_index = 0 and vectors.model = ${model})`;

/** Judgments that approve or reject, with their vectors of a model, newest first. */
export async function listDecided(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  model: string,
  after: JudgmentCursor | undefined,
  limit: number,
): Promise<DecidedRow[]> {
  const here = organizationId === '' ? sql`` : sql`and judgments.organization_id = ${organizationId}`;
  const { rows } = await sql<DecidedRow>`
    select judgments.judgment_id, judgments.created_at, judgments.organization_id,
      coalesce(judgments.content_type, '') as content_type, judgments.decision, judgments.reviewer_id,
      judgments.annotation_id, ${vectorOf('review', model)} as review, ${vectorOf('content', model)} as content
    from judgments
    where judgments.api_key_id = ${apiKeyId} ${here} and ${takesSides} and ${isTrusted} ${afterCursor(after)}
    order by judgments.created_at desc, judgments.judgment_id desc limit ${limit}`.execute(db);
  return rows;
}

/** The model of most vectors of a place; undefined if there are none. */
export async function leadingModel(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
): Promise<string | undefined> {
  const here = organizationId === '' ? sql`` : sql`and organization_id = ${organizationId}`;
  const { rows } = await sql<{ model: string }>`
    select embedded_with as model from judgments
    where api_key_id = ${apiKeyId} ${here} and embedded_with <> ''
    group by embedded_with order by count(*) desc, embedded_with limit 1`.execute(db);
  return rows[0]?.model;
}

export interface HumanJudgment extends JudgmentCursor {
  organizationId: string;
  contentType: string;
  decision: string;
  reviewerId: string;
  actionUser: Record<string, unknown>;
  hasContent: boolean;
  /** Creation time of the annotation, if known. */
  annotatedAt: number | null;
}

/** Judgments by people, newest first. */
export async function listHuman(
  db: Db,
  { apiKeyId }: Scope,
  after: JudgmentCursor | undefined,
  limit: number,
): Promise<HumanJudgment[]> {
  const { rows } = await sql<HumanJudgment>`
    select judgments.judgment_id, judgments.created_at, judgments.organization_id,
      coalesce(judgments.content_type, '') as content_type, judgments.decision, judgments.reviewer_id,
      judgments.action_user, judgments.content is not null as has_content, annotations.created_at as annotated_at
    from judgments left join annotations
      on annotations.api_key_id = judgments.api_key_id and annotations.organization_id = judgments.organization_id
        and annotations.document_id = judgments.document_id
        and annotations.annotation_id = judgments.annotation_id and judgments.origin in ('suggestion', 'status')
    where judgments.api_key_id = ${apiKeyId} and judgments.judge_type = 'human'
      and judgments.reviewer_id <> ${DELETED_USER.userId} and ${isTrusted} ${afterCursor(after)}
    order by judgments.created_at desc, judgments.judgment_id desc limit ${limit}`.execute(db);
  return rows;
}

export interface DailyTally {
  /** Whole days before now; 0 is the last 24 hours. */
  daysAgo: number;
  contentType: string;
  reviewerId: string;
  approved: number;
  rejected: number;
  total: number;
}

const MAX_TALLIES = 50_000;

/** Decisions by people per day, content type and reviewer. */
export async function tallyDays(
  db: Db,
  { apiKeyId }: Scope,
  now: number,
  days: number,
): Promise<DailyTally[]> {
  const { rows } = await sql<DailyTally>`
    select (cast(${now} as bigint) - created_at) / 86400000 as days_ago, coalesce(content_type, '') as content_type,
      reviewer_id, count(*) filter (where decision in ('approve', 'agree', 'endorse')) as approved,
      count(*) filter (where decision in ('reject', 'disagree')) as rejected, count(*) as total
    from judgments
    where api_key_id = ${apiKeyId} and judge_type = 'human' and ${isTrusted}
      and created_at > cast(${now - days * 86_400_000} as bigint) and created_at <= cast(${now} as bigint)
    group by 1, 2, 3 order by 1, 2, 3 limit ${MAX_TALLIES}`.execute(db);
  return rows;
}

/** The newest judgments by people in a time span, optionally of one content type. */
export async function newestIds(
  db: Db,
  { apiKeyId }: Scope,
  {
    from,
    to,
    contentType,
    limit,
  }: { from: number; to: number; contentType: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('judgments')
    .select('judgmentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('judgeType', '=', 'human')
    .where('createdAt', '>', from)
    .where('createdAt', '<=', to)
    .where(isTrusted)
    .$if(contentType !== undefined, (query) =>
      query.where(sql<boolean>`coalesce(content_type, '') = ${contentType}`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('judgmentId', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.judgmentId);
}

/** Vectors of what was reviewed, in stored form. */
export async function contentVectors(
  db: Db,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
  model: string,
): Promise<Map<string, Uint8Array>> {
  const rows = await db
    .selectFrom('judgmentVectors')
    .select(['judgmentId', 'embedding'])
    .where('apiKeyId', '=', apiKeyId)
    .where('kind', '=', 'content')
    .where('windowIndex', '=', 0)
    .where('model', '=', model)
    .where('judgmentId', 'in', [...judgmentIds])
    .execute();
  return new Map(rows.map((row) => [row.judgmentId, row.embedding]));
}

/** Number of judgments of an API key, counted up to `cap`. */
export async function countUpTo(db: Db, { apiKeyId }: Scope, cap: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (
      select 1 from judgments where api_key_id = ${apiKeyId} limit ${cap}) as few`.execute(db);
  return rows[0]!.many;
}
