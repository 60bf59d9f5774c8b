import { sql } from 'kysely';
import {
  type Decided,
  judgmentOfComment,
  judgmentOfDecision,
  type NewJudgment,
  type Person,
  SYSTEM_REVIEWER,
  type Thread,
} from '../../annotations/decisions/causes.ts';
import { decisionOfStatus, wordsOfComment } from '../../annotations/decisions/judgment-text.ts';
import type { StoredAnnotation } from '../../annotations/record.ts';
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
  /** Of each judgment that there is of it: its origin, and its comment. */
  known: [string, number | null][];
}

/**
 * Remembers what was judged on the next annotations of an API key, in the order of their keys, as far as that is not
 * remembered yet; quietly, since nothing new was judged. They are held, so that whoever changes one meanwhile waits.
 */
export async function backfillJudgments(
  tx: Tx,
  scope: Scope,
  after: AnnotationKey | undefined,
  limit: number,
): Promise<{ annotations: number; added: number; last: AnnotationKey | undefined }> {
  const { apiKeyId } = scope;
  const behind = after
    ? sql`and (organization_id, document_id, annotation_id)
        > (${after.organizationId}, ${after.documentId}, ${after.annotationId})`
    : sql``;
  const { rows: held } = await sql<StoredAnnotation>`
    select * from annotations where api_key_id = ${apiKeyId} ${behind}
    order by organization_id, document_id, annotation_id limit ${limit} for no key update`.execute(tx);
  if (held.length === 0) return { annotations: 0, added: 0, last: undefined };
  const threads = await threadsOf(tx, scope, held);
  const judgments = threads.flatMap((thread) => [...commentsOf(thread), ...decisionsOf(thread)]);
  for (let from = 0; from < judgments.length; from += 1_000) {
    await writeJudgments(tx, scope, judgments.slice(from, from + 1_000), { quietly: true });
  }
  return { annotations: held.length, added: judgments.length, last: held.at(-1) };
}

/** In a statement of its own: what others wrote until the annotations were held shows only now. */
async function threadsOf(
  tx: Tx,
  { apiKeyId }: Scope,
  held: readonly StoredAnnotation[],
): Promise<ThreadRow[]> {
  const threads: ThreadRow[] = [];
  for (const row of held) {
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

function commentsOf(thread: ThreadRow): NewJudgment[] {
  const known = new Set(
    thread.known.flatMap(([origin, commentId]) =>
      origin === 'comment' || origin === 'finding' ? [commentId] : [],
    ),
  );
  return thread.comments.flatMap((comment, index) => {
    if (known.has(comment.commentId)) return [];
    const from = (comment.body.from as Person | undefined) ?? SYSTEM_REVIEWER;
    const opening = index === 0 ? undefined : wordsOfComment(thread.comments[0]!.body);
    return judgmentOfComment(thread, { ...comment, from }, opening) ?? [];
  });
}

function decisionsOf(thread: ThreadRow): NewJudgment[] {
  const { body, suggestionStatus, lastUpdated, known } = thread;
  const isKnown = (wanted: string) => known.some(([origin]) => origin === wanted);
  const suggestion = (body.suggestion ?? {}) as Fields;
  const status = (body.status ?? {}) as Fields;
  const by = (...people: unknown[]): Person => {
    const found = people.find((one) => one !== undefined && one !== null);
    return typeof found === 'string' ? { userId: found } : ((found as Person | undefined) ?? SYSTEM_REVIEWER);
  };
  const { resolvedByUserId, statusUpdatedByUserId } = body;
  const decided: Decided[] = [];
  if ((suggestionStatus === 'accepted' || suggestionStatus === 'rejected') && !isKnown('suggestion')) {
    decided.push({
      origin: 'suggestion',
      decision: suggestionStatus === 'accepted' ? 'approve' : 'reject',
      by: by(suggestion.resolvedBy, resolvedByUserId, statusUpdatedByUserId),
      at: typeof suggestion.resolvedAt === 'number' ? suggestion.resolvedAt : lastUpdated,
    });
  }
  if (status.type !== undefined && status.type !== 'default' && !isKnown('status')) {
    decided.push({
      origin: 'status',
      decision: decisionOfStatus(status),
      by: by(statusUpdatedByUserId, resolvedByUserId),
      at: lastUpdated,
    });
  }
  return decided.map((one) => judgmentOfDecision(thread, one, knownOf(thread, one.by)));
}

function knownOf({ comments }: ThreadRow, { userId }: Person): Thread {
  const said = comments
    .filter(({ body }) => !body.agent && (body.from as Person | undefined)?.userId === userId)
    .map(({ commentId, body }) => ({ commentId, reasoning: wordsOfComment(body) }))
    .findLast(({ reasoning }) => reasoning !== '');
  return { opening: comments[0] && wordsOfComment(comments[0].body), said };
}
