import type { Comment, CommentAttachment } from '@redpen/client';
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { clipIcon, smileIcon } from '../element/icons.ts';
import type { Words } from '../element/words.ts';
import { avatar } from './avatar.ts';
import { commentText } from './comment-text.ts';
import { nameIn } from './mentions.ts';
import { hasReacted } from './thread-actions.ts';

/** Reactions that are offered; others that a comment has are shown too. */
const REACTIONS = ['👍', '👎', '❤️', '🎉', '👀', '✅'];

export interface CommentState {
  commentId: number;
  words: Words;
  userId: string | undefined;
  isPending: boolean;
  isByAgent: boolean;
  canReact: boolean;
  canChange: boolean;
  isEditing: boolean;
  isRemoving: boolean;
  isReacting: boolean;
  /** In place of the text, for the comment of an agent that begins a thread. */
  finding: unknown;
  /** What the thread suggests, below the text that begins it. */
  proposal: unknown;
  editor(): TemplateResult;
  edit(): void;
  askRemoval(isAsked: boolean): void;
  remove(): void;
  askReaction(isAsked: boolean): void;
  react(reactionId: string, isAdded: boolean): void;
}

export function commentOf(comment: Comment, state: CommentState): TemplateResult {
  const { words, isPending, isByAgent, isEditing, finding, proposal } = state;
  const { from, createdAt, isEdited, assistant } = comment;
  return html`<li class="comment ${classMap({ 'is-pending': isPending })}" part="comment">
    ${avatar(from, isByAgent)}
    <div class="by"><b><bdi>${from?.name || from?.email || from?.userId || words.t('thread.unknown')}</bdi></b>
      ${isByAgent ? html`<span class="dim">${words.t('thread.agent')}</span>` : nothing}
      ${assistant ? html`<span class="dim" part="assistant">${words.t('thread.assistant', assistant)}</span>` : nothing}
      <time datetime=${new Date(createdAt).toISOString()} title=${words.time(createdAt)}>${words.ago(createdAt)}</time>
      ${isEdited ? html`<span class="dim">${words.t('thread.edited')}</span>` : nothing}
      ${isPending ? html`<span class="dim">${words.t('thread.pending')}</span>` : nothing}
    </div>
    <div class="body">${
      isEditing
        ? state.editor()
        : html`${finding ?? html`<div class="text" part="comment-text">${commentText(comment.commentText ?? '', nameIn(comment))}</div>`}${proposal}
          ${filesOf(comment.attachments)}
          <div class="acts">${reactionsOf(comment, state)}${actsOf(state)}</div>`
    }</div>
  </li>`;
}

function filesOf(attachments: Comment['attachments']): unknown {
  if (!attachments?.length) return nothing;
  return html`<ul class="files" part="files">${attachments.map((file) => html`<li>${fileOf(file)}</li>`)}</ul>`;
}

const isSafe = (url: string | undefined): url is string => /^https?:\/\//i.test(url ?? '');

function fileOf({ url, name, fileName, mimeType, thumbnail }: CommentAttachment): unknown {
  const title = fileName ?? name ?? '';
  if (!isSafe(url)) return html`${clipIcon} <bdi>${title}</bdi>`;
  const shown = mimeType?.startsWith('image/')
    ? html`<img src=${isSafe(thumbnail) ? thumbnail : url} alt=${title} loading="lazy">`
    : html`${clipIcon} <bdi>${title}</bdi>`;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${shown}</a>`;
}

function reactionsOf(comment: Comment, state: CommentState): unknown {
  const { words, userId, canReact, isReacting } = state;
  const { reactions = [] } = comment;
  if (reactions.length === 0 && !isReacting) return nothing;
  const button = (reactionId: string, count: number, isOwn: boolean, names: string) =>
    html`<button type="button" class="reaction" part="reaction" aria-pressed=${isOwn} title=${names || nothing}
      aria-label=${words.t('thread.reaction', { reaction: reactionId, count })} ?disabled=${!canReact}
      @click=${() => state.react(reactionId, !isOwn)}>${reactionId}${count > 0 ? html` <span>${words.number(count)}</span>` : nothing}</button>`;
  const given = reactions.map((one) =>
    button(
      one.reactionId,
      one.count,
      hasReacted(one, userId),
      words.list(one.users.map((user) => user.name ?? user.userId)),
    ),
  );
  const offered = REACTIONS.filter(
    (id) => isReacting && !reactions.some(({ reactionId }) => reactionId === id),
  );
  return html`${given}${offered.map((id) => button(id, 0, false, ''))}`;
}

function actsOf(state: CommentState): unknown {
  const { words, canReact, canChange, isRemoving, isReacting } = state;
  if (!canReact && !canChange) return nothing;
  const button = (name: string, act: () => void) =>
    html`<button type="button" class="button small quiet" part="button" @click=${act}>${name}</button>`;
  if (isRemoving)
    return html`<div class="ask" role="group" aria-label=${words.t('thread.removeAsk')}><span>${words.t('thread.removeAsk')}</span>
      ${button(words.t('thread.remove'), () => state.remove())}${button(words.t('cancel'), () => state.askRemoval(false))}</div>`;
  return html`
    ${
      canReact
        ? html`<button type="button" class="button small icon quiet" part="button" aria-expanded=${isReacting}
            aria-label=${words.t('thread.react')} title=${words.t('thread.react')}
            @click=${() => state.askReaction(!isReacting)}>${smileIcon}</button>`
        : nothing
    }
    ${canChange ? html`<button type="button" class="button small quiet" part="button" data-edit=${state.commentId} @click=${() => state.edit()}>${words.t('thread.edit')}</button>${button(words.t('thread.remove'), () => state.askRemoval(true))}` : nothing}
  `;
}
