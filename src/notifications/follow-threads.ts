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
import { commentTextOf } from './comment-text.ts';

const EVENTS = [
  'comment_annotation.delete',
  'comment_annotation.update',
  'comment.update',
  'comment.delete',
] as const;
type ThreadEvent = Extract<Event, { name: (typeof EVENTS)[number] }>;

/** Keeps notifications in step with their threads and comments: their text, their visibility and their deletion. */
export const followThreads: Subscriber = {
  name: 'notifications/threads',
  events: EVENTS,

  async handle(tx, events: ThreadEvent[]) {
    const { goneThreads, goneComments, readers, words } = outcomeOf(events);
    await deleteOfThreads(tx, [...goneThreads.values()]);
    await deleteOfComments(tx, [...goneComments.values()]);
    await setReadersOfThreads(tx, [...readers.values()]);
    await setWordsOfComments(tx, [...words.values()]);
  },
};

/** Reduces events to their outcome: the last change of each thread or comment counts, and deletions are final. */
function outcomeOf(events: ThreadEvent[]) {
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
      else words.set(ofComment, { ...comment, words: commentTextOf(targetComment) });
    }
  }
  return { goneThreads, goneComments, readers, words };
}
