import type { Comment } from '@redpen/client';
import { attempt, el, type View } from './dom.ts';
import { threads } from './redpen.ts';

const REACTIONS = { agree: 'Agree', love: 'Love it', unclear: 'Unclear' };

/** The buttons for reactions to a comment. */
export const reactionViews = (annotationId: string, commentId: number): View<Comment>[] =>
  Object.entries(REACTIONS).map(([reactionId, label]) => {
    const root = el('button', { type: 'button' });
    return {
      root,
      update({ reactions = [] }) {
        const reaction = reactions.find((one) => one.reactionId === reactionId);
        const { count = 0, isOwn = false, users = [] } = reaction ?? {};
        const names = users.map(({ name, userId }) => name ?? userId).join(', ');
        root.className = count > 0 ? 'reaction' : 'reaction unused';
        root.textContent = count > 0 ? `${label} ${count}` : label;
        root.title = names;
        root.ariaLabel = count > 0 ? `${label}: ${names}` : label;
        root.ariaPressed = String(isOwn);
        root.onclick = () =>
          attempt(threads[isOwn ? 'unreact' : 'react'](annotationId, reactionId, { commentId }));
      },
    };
  });
