import type { AnnotationDraft } from '../../annotations/annotation-draft.ts';
import { eventsTooLarge, MAX_EVENT_CHARS, recordSizeOf } from '../../annotations/annotation-event.ts';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { judgmentOfComment, type NewJudgment } from '../../annotations/decisions/build-judgment.ts';
import { plainTextOfComment } from '../../annotations/decisions/judgment-content.ts';
import { grouped } from '../../db/grouped.ts';
import type { Statement } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { judgmentEventPayload } from '../memory/judgments.ts';
import { numberComments } from './comment-rows.ts';
import { insertThreads, insertThreadsUnlocked } from './thread-statement.ts';

/** The outcome of a draft. */
export interface WrittenDraft {
  /** False if the document does not exist. */
  isFound: boolean;
  /** False if its id is taken. */
  isAdded: boolean;
}

/** A JSON object without its field `thread`, the position of its annotation among those of a statement. */
interface Item {
  thread: number;
  text: string;
}

interface Addition {
  scope: Scope;
  /** The ids of the annotations, which no other request of the same statement may add. */
  keys: string[];
  threads: Item[];
  comments: Item[];
  judgments: Item[];
}

/**
 * Builds the one statement that inserts annotations of a document with their comments, numbered in the given order, and
 * draws the numbers of the comments. It returns a row for each draft.
 */
export function annotationInsertion(
  scope: Scope,
  drafts: readonly AnnotationDraft[],
  { byUser }: { byUser: boolean },
): { commentIds: Map<string, number[]>; statement: Statement<WrittenDraft> } {
  const repeatedChars = drafts.map(({ row, comments }) =>
    comments.length === 1 ? 0 : comments.length * recordSizeOf(row),
  );
  if (repeatedChars.reduce((sum, size) => sum + size, 0) > MAX_EVENT_CHARS) throw eventsTooLarge();
  const commentIds = new Map<string, number[]>();
  const comments: Item[] = [];
  const judgments: Item[] = [];
  for (const [thread, { row, comments: sent }] of drafts.entries()) {
    const { annotationId } = row;
    const numbered = numberComments(sent.map((comment) => ({ annotationId, comment }))).map(
      ({ comment, commentId }) => ({ ...comment, commentId }),
    );
    commentIds.set(
      annotationId,
      numbered.map(({ commentId }) => commentId),
    );
    const opening = plainTextOfComment(numbered[0]!.body);
    for (const [place, comment] of numbered.entries()) {
      comments.push(itemOf(thread, commentFields(place, comment, byUser)));
      const judgment = judgmentOfComment(row, comment, place === 0 ? undefined : opening);
      if (judgment) judgments.push(itemOf(thread, judgmentFields(judgment)));
    }
  }
  const keys = drafts.map(({ row }) =>
    JSON.stringify([row.organizationId, row.documentId, row.annotationId]),
  );
  const threads = drafts.map(({ row }, thread) => itemOf(thread, row));
  return { commentIds, statement: insertion({ scope, keys, threads, comments, judgments }) };
}

const itemOf = (thread: number, fields: object): Item => ({ thread, text: JSON.stringify(fields) });

const commentFields = (
  place: number,
  comment: PreparedComment & { commentId: number },
  byUser: boolean,
): Fields => ({
  place,
  commentId: comment.commentId,
  authorId: comment.from.userId,
  body: comment.body,
  createdAt: comment.createdAt,
  lastUpdated: comment.lastUpdated,
  shownUpdate: new Date(comment.lastUpdated).toISOString(),
  eventId: newTimedId('evt'),
  details: {
    actionUser: comment.from,
    loud: byUser || comment.triggerNotification,
    logged: byUser || comment.triggerActivities,
  },
});

const judgmentFields = (judgment: NewJudgment): Fields => ({
  ...judgment,
  eventId: newTimedId('evt'),
  payload: judgmentEventPayload(judgment),
});

/** The arguments of the statement that writes all of these additions, of one API key. */
const argumentsOf = (many: readonly Addition[]) => {
  const { scope } = many[0]!;
  let count = 0;
  const firsts = many.map(({ threads }) => {
    const first = count;
    count += threads.length;
    return first;
  });
  const listOf = (kind: 'threads' | 'comments' | 'judgments') => {
    const texts = many.flatMap((addition, index) =>
      addition[kind].map(({ thread, text }) => `{"thread":${firsts[index]! + thread},${text.slice(1)}`),
    );
    return `[${texts.join(',')}]`;
  };
  return {
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    now: Date.now(),
    threads: listOf('threads'),
    comments: listOf('comments'),
    judgments: listOf('judgments'),
    count,
  };
};

const charsOf = (items: readonly Item[]): number => items.reduce((sum, { text }) => sum + text.length, 0);

const insertion = grouped<Addition, WrittenDraft>({
  laneOf: ({ scope }) => scope.apiKeyId,
  keysOf: ({ keys }) => keys,
  sizeOf: ({ threads, comments, judgments }) => charsOf(threads) + charsOf(comments) + charsOf(judgments),
  alone: (db: Db, addition) => insertThreads(db, argumentsOf([addition])),
  async together(db, many) {
    const written = await insertThreadsUnlocked(db, argumentsOf(many));
    let taken = 0;
    return many.map(({ threads }) => {
      const own = written.slice(taken, taken + threads.length);
      taken += threads.length;
      return own[0]!.isFound ? own : undefined;
    });
  },
});
