import { md5 } from '../lib/ids.ts';
import { asList, type Fields } from '../lib/json.ts';
import type { Recipient } from '../store/notifications/notifications.ts';
import type { CommentPayload } from './notified-events.ts';

/** The recipient in a record of a person; undefined without a user id. */
export const personOf = (value: unknown): Recipient | undefined => {
  const { userId, name, email } = (value ?? {}) as Fields;
  if (typeof userId !== 'string' || userId === '') return undefined;
  return {
    userId,
    ...(typeof name === 'string' && { name }),
    ...(typeof email === 'string' && { email }),
  };
};

/** People that a comment mentions. */
export const mentionedRecipients = (comment: Fields | undefined): Recipient[] =>
  asList(comment?.taggedUserContacts).flatMap((tag) => {
    const { userId, contact } = tag as Fields;
    return personOf({ ...(contact as Fields | undefined), ...(userId !== undefined && { userId }) }) ?? [];
  });

/**
 * The people a change to a thread concerns: mentioned people, assignee, authors and subscribers, without people who
 * unsubscribed and the actor. Their access is checked when they read the notification.
 */
export function recipientsOf(
  { commentAnnotation, targetComment }: CommentPayload,
  actor: { userId: string },
): Recipient[] {
  const unsubscribed = (commentAnnotation.unsubscribedUsers ?? {}) as Fields;
  const followers = Object.values((commentAnnotation.subscribedUsers ?? {}) as Record<string, Fields>);
  const involved = [
    ...asList(commentAnnotation.involvedUserIds).map((userId) => personOf({ userId })),
    ...followers.map((entry) => personOf(entry?.user)),
    personOf(commentAnnotation.from),
  ].filter((person) => person && !Object.hasOwn(unsubscribed, md5(person.userId)));
  const named = [...involved, personOf(commentAnnotation.assignedTo), ...mentionedRecipients(targetComment)];
  const audience = new Map<string, Recipient>();
  for (const person of named) {
    if (!person || person.userId === actor.userId) continue;
    audience.set(person.userId, { ...audience.get(person.userId), ...person });
  }
  return [...audience.values()];
}
