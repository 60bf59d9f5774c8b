import type { Thread } from '@redpen/client';
import { Bot, MoreHorizontal, SmilePlus } from 'lucide-react';
import { useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useMay } from '../../session/session.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { announce } from '../../ui/toasts.tsx';
import { Composer } from './composer.tsx';
import { textOf } from './thread-filter.ts';
import styles from './threads.module.css';
import type { ThreadActions } from './use-threads.ts';

type Comment = Thread['comments'][number];

const EMOJI = ['👍', '👎', '✅', '❤️', '🎉', '👀'];

const nameOf = ({ from, agent }: Pick<Comment, 'from' | 'agent'>): string =>
  agent?.agentName || from?.name || from?.email || from?.userId || 'Unknown';

export function Author({ comment, at }: { comment: Comment; at?: number }) {
  const name = nameOf(comment);
  return (
    <span className={styles.author}>
      <span className={styles.face} aria-hidden>
        {comment.agent ? <Bot size={14} /> : [...name][0]?.toUpperCase()}
      </span>
      <b>{name}</b>
      <Time at={at ?? comment.createdAt} />
    </span>
  );
}

const sayFailure = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => announce(error instanceof Error ? error.message : String(error)));

function Reactions({
  comment,
  mayReact,
  userId,
  onReact,
}: {
  comment: Comment;
  mayReact: boolean;
  userId: string;
  onReact: (reactionId: string, isOn: boolean) => void;
}) {
  const reactions = comment.reactions ?? [];
  if (reactions.length === 0 && !mayReact) return null;
  const isOwn = (reactionId: string) =>
    reactions.some(
      (one) => one.reactionId === reactionId && one.users.some((user) => user.userId === userId),
    );
  return (
    <div className={styles.reactions}>
      {reactions.map(({ reactionId, count, users }) => {
        const names = users.map(({ name, userId: id }) => name ?? id).join(', ');
        return (
          <ToggleButton
            key={reactionId}
            className={styles.reaction ?? ''}
            aria-label={`${reactionId}, ${count}: ${names}`}
            isDisabled={!mayReact}
            isSelected={isOwn(reactionId)}
            onChange={(isOn) => onReact(reactionId, isOn)}
          >
            {reactionId} {count}
          </ToggleButton>
        );
      })}
      {mayReact && (
        <ActionMenu
          label="Reactions"
          trigger={
            <IconButton label="React" size="small">
              <SmilePlus />
            </IconButton>
          }
          entries={EMOJI.map((emoji) => ({
            id: emoji,
            label: isOwn(emoji) ? `${emoji} ✓` : emoji,
            onAction: () => onReact(emoji, !isOwn(emoji)),
          }))}
        />
      )}
    </div>
  );
}

/** A comment, which its author can change. */
export function CommentItem({
  annotationId,
  comment,
  isOnly,
  actions,
}: {
  annotationId: string;
  comment: Comment;
  /** Without its only comment a thread would be empty. */
  isOnly: boolean;
  actions: ThreadActions;
}) {
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const may = useMay('editor');
  const { commentId, isEdited } = comment;
  const isOwn = comment.from?.userId === actions.user.userId;
  return (
    <li className={styles.comment}>
      <div className={styles.line}>
        <Author comment={comment} />
        {isEdited && <span className={styles.hint}>edited</span>}
        <span className={styles.spread} />
        {may && isOwn && (
          <ActionMenu
            label={`Actions on the comment of ${nameOf(comment)}`}
            trigger={
              <IconButton label={`Actions on the comment of ${nameOf(comment)}`} size="small">
                <MoreHorizontal />
              </IconButton>
            }
            entries={[
              { id: 'edit', label: 'Edit', onAction: () => setEditing(true) },
              !isOnly && {
                id: 'delete',
                label: 'Delete',
                isDanger: true,
                onAction: () => setDeleting(true),
              },
            ]}
          />
        )}
      </div>
      {isEditing ? (
        <Composer
          label="Your comment"
          draftKey={`edit ${annotationId} ${commentId}`}
          initial={comment.commentText ?? ''}
          submitLabel="Save"
          autoFocus
          onCancel={() => setEditing(false)}
          onSend={async (text) => {
            setEditing(false);
            await actions.edit(annotationId, commentId, text);
          }}
          onRefused={() => setEditing(true)}
        />
      ) : (
        <p className={styles.text} dir="auto">
          {textOf(comment) || <em>No text</em>}
        </p>
      )}
      <Reactions
        comment={comment}
        mayReact={may}
        userId={actions.user.userId}
        onReact={(reactionId, isOn) => sayFailure(actions.react(annotationId, commentId, reactionId, isOn))}
      />
      {isDeleting && (
        <FormDialog
          title="Delete the comment"
          role="alertdialog"
          isOpen
          isDanger
          submitLabel="Delete"
          onClose={() => setDeleting(false)}
          onSubmit={() => actions.deleteComment(annotationId, commentId)}
        >
          <p>The comment and its reactions go. This cannot be undone.</p>
        </FormDialog>
      )}
    </li>
  );
}
