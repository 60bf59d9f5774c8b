import type { Event } from '../events/event-catalog.ts';
import type { Subscriber } from '../events/subscriber.ts';
import { type Access, accessFieldsOf } from '../shapes/notification.ts';
import {
  type CommentOfThread,
  deleteOfComments,
  deleteOfThreads,
  type ReadersOfThread,
  setReadersOfThreads,
  setWordsOfComments,
  type Thread,
  type WordsOfComment,
} from '../store/notifications/targets.ts';
import { wordsOf } from './comment-words.ts';

const EVENTS = [
  'comment_annotation.delete',
  'comment_annotation.update',
  'comment.update',
  'comment.delete',
] as const;
type Followed = Extract<Event, { name: (typeof EVENTS)[number] }>;

/**
 * Notifications hold words of comments: they change with the comment, go when it or its thread goes, and are
 * seen by those who may see the thread now.
 */
export const followThreads: Subscriber = {
  name: 'notifications/threads',
  events: EVENTS,

  async handle(tx, events: Followed[]) {
    const { goneThreads, goneComments, readers, words } = outcomeOf(events);
    await deleteOfThreads(tx, [...goneThreads.values()]);
    await deleteOfComments(tx, [...goneComments.values()]);
    await setReadersOfThreads(tx, [...readers.values()]);
    await setWordsOfComments(tx, [...words.values()]);
  },
};

/** What is to be done in the end: of a thread or comment the last change counts, and what is deleted stays so. */
function outcomeOf(events: Followed[]) {
  const goneThreads = new Map<string, Thread>();
  const goneComments = new Map<string, CommentOfThread>();
  const readers = new Map<string, ReadersOfThread>();
  const words = new Map<string, WordsOfComment>();
  for (const { name, payload, apiKeyId } of events) {
    const { organizationId, documentId, annotationId, commentAnnotation, targetComment } = payload;
    const thread = { apiKeyId, organizationId, documentId, annotationId };
    const key = JSON.stringify(Object.values(thread));
    if (name === 'comment_annotation.delete') goneThreads.set(key, thread);
    else if (name === 'comment_annotation.update') {
      const visibility = payload.visibility ?? null;
      const { context } = commentAnnotation as { context?: { access?: Access } };
      readers.set(key, { ...thread, visibility, accessFields: accessFieldsOf(context) });
    } else if (targetComment) {
      const comment = { ...thread, commentId: targetComment.commentId as number };
      const ofComment = JSON.stringify(Object.values(comment));
      if (name === 'comment.delete') goneComments.set(ofComment, comment);
      else words.set(ofComment, { ...comment, words: wordsOf(targetComment) });
    }
  }
  return { goneThreads, goneComments, readers, words };
}
