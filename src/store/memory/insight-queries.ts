import { type SqlBool, sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { DELETED_USER } from '../../lib/erase-people.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { sidedDecisions } from '../../shapes/memory/judgment.ts';
import { isOfAssistant } from './judgments.ts';

/** Keyset cursor of a page of judgments, newest first. */
export interface JudgmentCursor {
  createdAt: number;
  judgmentId: string;
}

/** Excludes judgments made under prompt injection. */
const isTrusted = condition`coalesce(judgments.agent ->> 'injected', '') <> 'true'`;

/** A page of an API key's trusted judgments after a cursor. */
const trustedPage = (db: Db, { apiKeyId }: Scope, after: JudgmentCursor | undefined, limit: number) => {
  const page = db
    .selectFrom('judgments')
    .where('judgments.apiKeyId', '=', apiKeyId)
    .where(isTrusted)
    .orderBy('judgments.createdAt', 'desc')
    .orderBy('judgments.judgmentId', 'desc')
    .limit(limit);
  return after === undefined
    ? page
    : page.where((eb) =>
        eb(
          eb.refTuple('judgments.createdAt', 'judgments.judgmentId'),
          '<',
          eb.tuple(after.createdAt, after.judgmentId),
        ),
      );
};

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

/** Judgments of people and agents that approve or reject, with their vectors of a model, newest first. */
export async function listDecided(
  db: Db,
  scope: Scope,
  organizationId: string,
  model: string,
  after: JudgmentCursor | undefined,
  limit: number,
): Promise<DecidedRow[]> {
  return await trustedPage(db, scope, after, limit)
    .where('judgments.decision', 'in', sidedDecisions)
    .where(condition`not ${isOfAssistant()}`)
    .$if(organizationId !== '', (query) => query.where('judgments.organizationId', '=', organizationId))
    .select([
      'judgments.judgmentId',
      'judgments.createdAt',
      'judgments.organizationId',
      'judgments.decision',
      'judgments.reviewerId',
      'judgments.annotationId',
    ])
    .select((eb) => {
      const vectorOf = (kind: 'review' | 'content') =>
        eb
          .selectFrom('judgmentVectors as vectors')
          .select('vectors.embedding')
          .whereRef('vectors.apiKeyId', '=', 'judgments.apiKeyId')
          .whereRef('vectors.judgmentId', '=', 'judgments.judgmentId')
          .where('vectors.kind', '=', kind)
          .where('vectors.windowIndex', '=', 0)
          .where('vectors.model', '=', model);
      return [
        eb.fn.coalesce('judgments.contentType', sql.lit('')).as('contentType'),
        vectorOf('review').as('review'),
        vectorOf('content').as('content'),
      ];
    })
    .execute();
}

/** The model of most vectors of a place; undefined if there are none. */
export async function leadingModel(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('judgments')
    .select('embeddedWith as model')
    .where('apiKeyId', '=', apiKeyId)
    .where('embeddedWith', '<>', '')
    .$if(organizationId !== '', (query) => query.where('organizationId', '=', organizationId))
    .groupBy('embeddedWith')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('embeddedWith')
    .limit(1)
    .executeTakeFirst();
  return row?.model;
}

export interface HumanJudgment extends JudgmentCursor {
  organizationId: string;
  contentType: string;
  decision: string;
  reviewerId: string;
  actionUser: Fields;
  hasContent: SqlBool;
  /** Creation time of the annotation, if known. */
  annotatedAt: number | null;
}

/** Judgments by people, newest first. */
export const listHuman = (
  db: Db,
  scope: Scope,
  after: JudgmentCursor | undefined,
  limit: number,
): Promise<HumanJudgment[]> =>
  trustedPage(db, scope, after, limit)
    .leftJoin('annotations', (join) =>
      join
        .onRef('annotations.apiKeyId', '=', 'judgments.apiKeyId')
        .onRef('annotations.organizationId', '=', 'judgments.organizationId')
        .onRef('annotations.documentId', '=', 'judgments.documentId')
        .onRef('annotations.annotationId', '=', 'judgments.annotationId')
        .on('judgments.origin', 'in', ['suggestion', 'status']),
    )
    .where('judgments.judgeType', '=', 'human')
    .where('judgments.reviewerId', '<>', DELETED_USER.userId)
    .select([
      'judgments.judgmentId',
      'judgments.createdAt',
      'judgments.organizationId',
      'judgments.decision',
      'judgments.reviewerId',
      'judgments.actionUser',
      'annotations.createdAt as annotatedAt',
    ])
    .select((eb) => [
      eb.fn.coalesce('judgments.contentType', sql.lit('')).as('contentType'),
      eb('judgments.content', 'is not', null).as('hasContent'),
    ])
    .execute();

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
      and created_at > cast(${now - days * DAY_MS} as bigint) and created_at <= cast(${now} as bigint)
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
      query.where((eb) => eb(eb.fn.coalesce('contentType', sql.lit('')), '=', contentType ?? '')),
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
  const { many } = await db
    .selectFrom(
      db.selectFrom('judgments').select('apiKeyId').where('apiKeyId', '=', apiKeyId).limit(cap).as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow();
  return many;
}
