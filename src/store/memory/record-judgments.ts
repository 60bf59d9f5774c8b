import { sql } from 'kysely';
import {
  type Decided,
  type DecidedOn,
  type JudgedThread,
  judgmentOfDecision,
  type NewJudgment,
  type Person,
} from '../../annotations/decisions/build-judgment.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { sidedDecisions } from '../../shapes/memory/judgment.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type StoredJudgment, writeJudgments } from './judgments.ts';

/** Judgments per statement. */
const BATCH = 1_000;

export async function writeAllJudgments(
  tx: Tx,
  scope: Scope,
  judgments: readonly NewJudgment[],
): Promise<void> {
  for (let from = 0; from < judgments.length; from += BATCH) {
    await writeJudgments(tx, scope, judgments.slice(from, from + BATCH));
  }
}

/**
 * Records decisions on locked annotations. A reviewer's repeated or reversed decision replaces the earlier one; other
 * earlier decisions stay, as history. A person and each assistant of theirs are reviewers of their own.
 */
export async function recordDecisions(
  tx: Tx,
  scope: Scope,
  place: DocumentRef,
  decisions: readonly DecidedOn[],
): Promise<void> {
  if (decisions.length === 0) return;
  const by = decisions.map(({ decided }) => decided.by);
  const named = await withNames(tx, scope, by);
  const threads = await threadsOf(tx, scope, place, decisions);
  const judgments = decisions.map(({ row, decided }, index) => {
    const thread = threads[index]!;
    const decision = { ...decided, by: named.get(decided.by.userId) ?? decided.by };
    return judgmentOfDecision(row, decision, thread, thread.earlierId ?? undefined);
  });
  await writeAllJudgments(tx, scope, judgments);
}

interface KnownThread extends JudgedThread {
  /** Id of the judgment that the decision replaces. */
  earlierId: string | null;
}

async function threadsOf(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  decisions: readonly DecidedOn[],
): Promise<KnownThread[]> {
  const items = decisions.map(({ row, decided }, position) => ({
    position,
    annotationId: row.annotationId,
    userId: decided.by.userId,
    assistant: decided.assistant ?? null,
    origin: decided.origin,
    replaced: [...sidedDecisions, decided.decision],
  }));
  const there = sql`one.api_key_id collate "C" = ${apiKeyId} and one.organization_id = ${organizationId}
    and one.annotation_id = item."annotationId" and one.document_id = ${documentId}`;
  // Judgments of a person have no agent, and those of an assistant have its name.
  const own = sql`one.reviewer_id = item."userId" and case when item.assistant is null then one.judge_type = 'human'
    else one.agent ->> 'agentName' = item.assistant and one.agent ->> 'isAssistant' = 'true' end`;
  const { rows } = await sql<{
    opening: string | null;
    latestComment: JudgedThread['latestComment'] | null;
    earlierId: string | null;
    tagged: unknown[];
  }>`
    select (select reasoning from judgments as one
        where ${there} and one.origin in ('comment', 'finding')
        order by one.created_at, one.judgment_id limit 1) as opening,
      (select jsonb_build_object('commentId', comment_id, 'reasoning', reasoning) from judgments as one
        where ${there} and one.origin = 'comment' and ${own}
        order by one.created_at desc, one.judgment_id desc limit 1) as latest_comment,
      (select judgment_id from judgments as one
        where ${there} and one.origin = item.origin and ${own} and item.replaced @> to_jsonb(one.decision)
        order by one.created_at desc, one.judgment_id desc limit 1) as earlier_id,
      (select coalesce(jsonb_agg(one.tagged), '[]') from (
        select jsonb_array_elements(comments.body -> 'taggedUserContacts') as tagged from comments
        where comments.api_key_id = ${apiKeyId} and comments.organization_id = ${organizationId}
          and comments.document_id = ${documentId} and comments.annotation_id = item."annotationId"
        limit 100) as one) as tagged
    from jsonb_to_recordset(${json(items)}) as item(position integer, "annotationId" text, "userId" text, assistant text,
      origin text, replaced jsonb)
    order by item.position`.execute(tx);
  return rows.map(({ opening, latestComment, earlierId, tagged }) => ({
    opening: opening ?? undefined,
    latestComment: latestComment ?? undefined,
    earlierId,
    tagged,
  }));
}

/** The same for one decision, from the judgments of its annotation, in thread order. */
export function threadOf(
  judgments: readonly StoredJudgment[],
  tagged: unknown[],
  { origin, decision, by, assistant }: Pick<Decided, 'origin' | 'decision' | 'by' | 'assistant'>,
): KnownThread {
  const own = judgments.filter(
    ({ reviewerId, judgeType, agent }) =>
      reviewerId === by.userId &&
      (assistant === undefined
        ? judgeType === 'human'
        : agent?.isAssistant === true && agent.agentName === assistant),
  );
  const latest = own.findLast((one) => one.origin === 'comment');
  const replaced: readonly string[] = [...sidedDecisions, decision];
  const earlier = own.findLast((one) => one.origin === origin && replaced.includes(one.decision));
  return {
    opening: judgments.find((one) => one.origin === 'comment' || one.origin === 'finding')?.reasoning,
    latestComment: latest && { commentId: latest.commentId!, reasoning: latest.reasoning },
    earlierId: earlier?.judgmentId ?? null,
    tagged,
  };
}

/** The ids of the people whose names are not given. */
export const namelessIn = (people: readonly Person[]): string[] => [
  ...new Set(people.flatMap(({ userId, name }) => (name === undefined ? [userId] : []))),
];

/** Adds stored names and emails to reviewers given by id alone. */
async function withNames(
  tx: Tx,
  { apiKeyId }: Scope,
  people: readonly Person[],
): Promise<Map<string, Person>> {
  const userIds = namelessIn(people);
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('users')
    .select(['userId', 'name', 'email'])
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', 'in', userIds)
    .execute();
  return new Map(
    rows.map(({ userId, name, email }) => [
      userId,
      { userId, name: name ?? undefined, email: email ?? undefined },
    ]),
  );
}
