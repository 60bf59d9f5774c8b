import { cutText, shorten } from '../lib/text/cut-text.ts';
import { nameOf } from '../lib/text/headline.ts';
import { mentionedRecipients } from './notification-audience.ts';
import type { CommentPayload } from './notified-events.ts';

const MAX_CHARS = 1_000;

/** A comment's text, shortened, with the names of mentioned people in place of their ids. */
export function commentTextOf(comment: CommentPayload['targetComment']): string | undefined {
  if (typeof comment?.commentText !== 'string' || comment.commentText === '') return undefined;
  const mentioned = new Map(mentionedRecipients(comment).map((person) => [person.userId, nameOf(person)]));
  const text = cutText(comment.commentText, 4 * MAX_CHARS).replace(
    /\{\{([^{}]+)\}\}/g,
    (token, userId: string) => mentioned.get(userId) ?? token,
  );
  return shorten(text, MAX_CHARS);
}
