import type {
  Comment,
  NewComment,
  Redpen,
  Suggestion,
  Thread,
  ThreadChanges,
  ThreadsStore,
  User,
} from '@redpen/client';
import type { Written } from './composer.ts';

/** One thing that a person does to a thread. */
export type ThreadAction =
  | { kind: 'reply'; comment: Written }
  | { kind: 'edit'; commentId: number; comment: Written }
  | { kind: 'delete-comment'; commentId: number }
  | { kind: 'delete' }
  | { kind: 'resolve' }
  | { kind: 'reopen' }
  | { kind: 'accept' }
  | { kind: 'reject'; reason: string | undefined }
  | { kind: 'react'; reactionId: string; commentId: number; isAdded: boolean };

/** Names the author where no token does: with a session or an API key. */
export const authorOf = (client: Redpen | undefined, user: User | undefined): { from?: User } =>
  client?.connection.tokens || !user ? {} : { from: named(user) };

/**
 * A comment with its author. The service notifies people of what a user writes with a token; with other credentials it
 * does so if the comment asks for it.
 */
export const writtenBy = (comment: Written, author: { from?: User }): Written & NewComment => ({
  ...comment,
  ...author,
  ...(author.from && { triggerNotification: true, triggerActivities: true }),
});

const named = ({ userId, name, email }: User): User => ({
  userId,
  ...(name && { name }),
  ...(email && { email }),
});

/** A change replaces the whole suggestion, so it repeats what is proposed. */
function decided(
  { status: _, resolvedBy: __, resolvedAt: ___, rejectReason: ____, ...suggestion }: Suggestion,
  status: 'accepted' | 'rejected',
  reason: string | undefined,
  from: User | undefined,
): NonNullable<ThreadChanges['suggestion']> {
  return {
    ...suggestion,
    status,
    ...(reason && { rejectReason: reason }),
    ...(from && { resolvedBy: from }),
  };
}

/** Carries an action out by the store, which shows it at once and takes it back if the service refuses it. */
export async function actOn(
  store: ThreadsStore,
  { annotationId, suggestion }: Thread,
  action: ThreadAction,
  author: { from?: User },
): Promise<void> {
  const { from } = author;
  const setStatus = (id: string) =>
    store.update(annotationId, {
      status: { id },
      ...(from && {
        statusUpdatedByUserId: from.userId,
        ...(id === 'RESOLVED' && { resolvedByUserId: from.userId }),
      }),
    });
  switch (action.kind) {
    case 'reply':
      return void (await store.reply(annotationId, writtenBy(action.comment, author)));
    case 'edit':
      return void (await store.editComment(annotationId, action.commentId, edited(action.comment)));
    case 'delete-comment':
      return void (await store.deleteComment(annotationId, action.commentId));
    case 'delete':
      return void (await store.delete(annotationId));
    case 'resolve':
      return void (await setStatus('RESOLVED'));
    case 'reopen':
      return void (await setStatus('OPEN'));
    case 'accept':
    case 'reject': {
      const [status, reason] =
        action.kind === 'accept'
          ? (['accepted', undefined] as const)
          : (['rejected', action.reason] as const);
      const change = decided(suggestion ?? { status: 'pending' }, status, reason, from);
      return void (await store.update(annotationId, { suggestion: change }));
    }
    case 'react': {
      const { commentId, reactionId, isAdded } = action;
      const target = { commentId, ...author };
      await (isAdded
        ? store.react(annotationId, reactionId, target)
        : store.unreact(annotationId, reactionId, target));
    }
  }
}

/** Mentions of an edited comment need all their fields. */
const edited = ({ commentText = '', taggedUserContacts = [] }: Written) => ({
  commentText,
  taggedUserContacts: taggedUserContacts.map(({ userId, text = '', contact }) => ({
    userId,
    text,
    contact: { userId, name: contact.name ?? userId, email: contact.email ?? '' },
  })),
});

/** True if the user has reacted with it. */
export const hasReacted = (
  { isOwn, users }: NonNullable<Comment['reactions']>[number],
  userId: string | undefined,
): boolean => isOwn ?? users.some((user) => user.userId === userId);
