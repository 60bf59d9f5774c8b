import type { Comment } from '@redpen/client';
import { composer } from './composer.ts';
import { attempt, avatar, el, time, type View } from './dom.ts';
import { asTyped, withNames } from './mentions.ts';
import { attachmentView } from './pictures.ts';
import { reactionViews } from './reactions.ts';
import { me, threads } from './redpen.ts';

/** A comment of a thread, with what its reader or author can do. */
export function commentView(annotationId: string, { commentId, from }: Comment): View<Comment> {
  const isOwn = from?.userId === me.userId;
  const head = el('p', { className: 'by' });
  const text = el('p', { className: 'text' });
  const pictures = el('div', { className: 'pictures' });
  const reactions = reactionViews(annotationId, commentId);
  const edit = el('button', { type: 'button', className: 'quiet', onclick: openForm }, 'Edit');
  const remove = el('button', { type: 'button', className: 'quiet', onclick: askToDelete }, 'Delete');
  const tools = el(
    'div',
    { className: 'reactions', role: 'group', ariaLabel: 'Reactions and tools' },
    ...reactions.map(({ root }) => root),
    isOwn && el('span', { className: 'tools' }, edit, remove),
  );
  const root = el('li', { className: 'comment' }, head, text, pictures, tools);
  let shown: Comment;

  function openForm(): void {
    const show = () => {
      text.hidden = true;
      text.after(form);
      form.querySelector('textarea')?.focus();
    };
    const close = () => {
      form.remove();
      text.hidden = false;
      edit.focus();
    };
    const form = composer({
      label: 'Edit the comment',
      action: 'Save',
      text: asTyped(shown),
      submit: async (draft) => {
        close();
        try {
          await threads.editComment(annotationId, commentId, draft);
        } catch (error) {
          show();
          throw error;
        }
      },
      close,
    });
    show();
  }

  function askToDelete(): void {
    if (confirm('Delete this comment?')) attempt(threads.deleteComment(annotationId, commentId));
  }

  return {
    root,
    update(comment) {
      if (comment === shown) return;
      shown = comment;
      const author = comment.from ?? { userId: '' };
      head.replaceChildren(
        avatar(author),
        el('strong', {}, author.name ?? author.userId),
        time(comment.createdAt),
        comment.isEdited ? el('span', {}, 'edited') : '',
      );
      text.replaceChildren(...withNames(comment));
      pictures.replaceChildren(...(comment.attachments ?? []).map(attachmentView));
      for (const reaction of reactions) reaction.update(comment);
    },
  };
}
