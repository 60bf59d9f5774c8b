import { sql } from 'kysely';
import {
  type Decided,
  type JudgedThread,
  judgmentOfComment,
  judgmentOfDecision,
  type NewJudgment,
  type Person,
  SYSTEM_REVIEWER,
} from '../../annotations/decisions/build-judgment.ts';
import {
  assistantIn,
  decisionOfStatus,
  plainTextOfComment,
} from '../../annotations/decisions/judgment-content.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { writeJudgments } from './judgments.ts';

export interface AnnotationKey {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

interface ThreadRow extends StoredAnnotation {
  comments: { commentId: number; body: Fields; createdAt: number }[];
  /** Origin and comment of each existing judgment of the annotation. */
  known: [string, number | null][];
}

/**
 * Records the missing judgments of the next annotations of an API key, in key order, without events, since nothing new
 * was decided. Locks the annotations against concurrent changes.
 */
export async function backfillJudgments(
  tx: Tx,
  scope: Scope,
  after: AnnotationKey | undefined,
  limit: number,
): Promise<{ annotations: number; added: number; last: AnnotationKey | undefined }> {
  const { apiKeyId } = scope;
  const locked = await tx
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('organizationId', 'documentId', 'annotationId'),
          '>',
          eb.tuple(after!.organizationId, after!.documentId, after!.annotationId),
        ),
      ),
    )
    .orderBy('organizationId')
    .orderBy('documentId')
    .orderBy('annotationId')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
  if (locked.length === 0) return { annotations: 0, added: 0, last: undefined };
  const threads = await threadsOf(tx, scope, locked);
  const judgments = threads.flatMap((thread) => [
    ...missingCommentJudgments(thread),
    ...missingDecisionJudgments(thread),
  ]);
  for (let from = 0; from < judgments.length; from += 1_000) {
    await writeJudgments(tx, scope, judgments.slice(from, from + 1_000), { quietly: true });
  }
  await renewVersions(tx, scope, judgments);
  return { annotations: locked.length, added: judgments.length, last: locked.at(-1) };
}

/** Writes the annotations of new judgments as they are, so that a change that has read the thread without them notices. */
async function renewVersions(tx: Tx, { apiKeyId }: Scope, judgments: readonly NewJudgment[]): Promise<void> {
  const places = judgments.map(({ organizationId, documentId, annotationId }) => ({
    organizationId,
    documentId,
    annotationId,
  }));
  await sql`
    update annotations set last_updated = last_updated
    from jsonb_to_recordset(${json(places)}) as item("organizationId" text, "documentId" text, "annotationId" text)
    where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = item."organizationId"
      and annotations.document_id = item."documentId" and annotations.annotation_id = item."annotationId"`.execute(
    tx,
  );
}

/** A separate statement, so that its snapshot includes what was committed before the locks were granted. */
async function threadsOf(
  tx: Tx,
  { apiKeyId }: Scope,
  locked: readonly StoredAnnotation[],
): Promise<ThreadRow[]> {
  const threads: ThreadRow[] = [];
  for (const row of locked) {
    const of = sql`organization_id = ${row.organizationId} and document_id = ${row.documentId}
      and annotation_id = ${row.annotationId}`;
    const { rows } = await sql<Pick<ThreadRow, 'comments' | 'known'>>`
      select (select coalesce(jsonb_agg(jsonb_build_object('commentId', comment_id, 'body', body,
            'createdAt', created_at) order by created_at, comment_id), '[]') from comments
          where api_key_id = ${apiKeyId} and ${of}) as comments,
        (select coalesce(jsonb_agg(jsonb_build_array(origin, comment_id)), '[]') from judgments
          where api_key_id collate "C" = ${apiKeyId} and ${of} and origin <> 'import') as known`.execute(tx);
    threads.push({ ...row, ...rows[0]! });
  }
  return threads;
}

function missingCommentJudgments(thread: ThreadRow): NewJudgment[] {
  const known = new Set(
    thread.known.flatMap(([origin, commentId]) =>
      origin === 'comment' || origin === 'finding' ? [commentId] : [],
    ),
  );
  return thread.comments.flatMap((comment, index) => {
    if (known.has(comment.commentId)) return [];
    const from = (comment.body.from as Person | undefined) ?? SYSTEM_REVIEWER;
    const opening = index === 0 ? undefined : plainTextOfComment(thread.comments[0]!.body);
    return judgmentOfComment(thread, { ...comment, from }, opening) ?? [];
  });
}

function missingDecisionJudgments(thread: ThreadRow): NewJudgment[] {
  const { body, suggestionStatus, lastUpdated, known } = thread;
  const isKnown = (wanted: string) => known.some(([origin]) => origin === wanted);
  const suggestion = (body.suggestion ?? {}) as Fields;
  const status = (body.status ?? {}) as Fields;
  const by = (...people: unknown[]): Person => {
    const found = people.find((one) => one !== undefined && one !== null);
    return typeof found === 'string' ? { userId: found } : ((found as Person | undefined) ?? SYSTEM_REVIEWER);
  };
  const { resolvedByUserId, statusUpdatedByUserId, decidedByAssistant } = body;
  const decided: Decided[] = [];
  if ((suggestionStatus === 'accepted' || suggestionStatus === 'rejected') && !isKnown('suggestion')) {
    decided.push({
      origin: 'suggestion',
      decision: suggestionStatus === 'accepted' ? 'approve' : 'reject',
      by: by(suggestion.resolvedBy, resolvedByUserId, statusUpdatedByUserId),
      assistant: decidedByAssistant?.suggestion,
      at: typeof suggestion.resolvedAt === 'number' ? suggestion.resolvedAt : lastUpdated,
    });
  }
  if (status.type !== undefined && status.type !== 'default' && !isKnown('status')) {
    decided.push({
      origin: 'status',
      decision: decisionOfStatus(status),
      by: by(statusUpdatedByUserId, resolvedByUserId),
      assistant: decidedByAssistant?.status,
      at: lastUpdated,
    });
  }
  return decided.map((one) => judgmentOfDecision(thread, one, threadFor(thread, one)));
}

function threadFor({ comments }: ThreadRow, { by: { userId }, assistant }: Decided): JudgedThread {
  const latestComment = comments
    .filter(
      ({ body }) =>
        !body.agent &&
        (body.from as Person | undefined)?.userId === userId &&
        assistantIn(body) === assistant,
    )
    .map(({ commentId, body }) => ({ commentId, reasoning: plainTextOfComment(body) }))
    .findLast(({ reasoning }) => reasoning !== '');
  return { opening: comments[0] && plainTextOfComment(comments[0].body), latestComment };
}
