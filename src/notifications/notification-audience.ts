import { md5 } from '../lib/ids.ts';
import { asList, type Fields } from '../lib/json.ts';
import type { Recipient } from '../store/notifications/notifications.ts';
import type { CommentPayload } from './notified-events.ts';

export const personOf = (value: unknown): Recipient | undefined => {
  const { userId, name, email } = (value ?? {}) as Fields;
  if (typeof userId !== 'string' || userId === '') return undefined;
  return {
    userId,
    ...(typeof name === 'string' && { name }),
    ...(typeof email === 'string' && { email }),
  };
};

/** Whom the words of a comment mention. */
export const mentionedIn = (comment: Fields | undefined): Recipient[] =>
  asList(comment?.taggedUserContacts).flatMap((tag) => {
    const { userId, contact } = tag as Fields;
    return personOf({ ...(contact as Fields | undefined), ...(userId !== undefined && { userId }) }) ?? [];
  });

/**
 * Whom a change to a thread concerns: who is mentioned or assigned, and who wrote in it or follows it, but
 * for those who left it. Never whoever made the change. Who among them may see it is judged when they look.
 */
export function audienceOf(
  { commentAnnotation, targetComment }: CommentPayload,
  actor: { userId: string },
): Recipient[] {
  const left = (commentAnnotation.unsubscribedUsers ?? {}) as Fields;
  const followers = Object.values((commentAnnotation.subscribedUsers ?? {}) as Record<string, Fields>);
  const involved = [
    ...asList(commentAnnotation.involvedUserIds).map((userId) => personOf({ userId })),
    ...followers.map((entry) => personOf(entry?.user)),
    personOf(commentAnnotation.from),
  ].filter((person) => person && !Object.hasOwn(left, md5(person.userId)));
  const named = [...involved, personOf(commentAnnotation.assignedTo), ...mentionedIn(targetComment)];
  const audience = new Map<string, Recipient>();
  for (const person of named) {
    if (!person || person.userId === actor.userId) continue;
    audience.set(person.userId, { ...audience.get(person.userId), ...person });
  }
  return [...audience.values()];
}
