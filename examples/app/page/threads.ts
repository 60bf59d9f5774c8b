import type { Comment } from '@redpen/client';
import { commentView } from './comment.ts';
import { composer } from './composer.ts';
import { announce, attempt, byId, el, list, type View } from './dom.ts';
import { activate, layOut, noteAt, openNote, putNote, removeNote } from './margin.ts';
import { asTyped } from './mentions.ts';
import { findPassage, type Passage, textBefore } from './passages.ts';
import { me, threads } from './redpen.ts';

type Thread = ReturnType<typeof threads.get>['threads'][number];

const article = byId('article');
const isResolved = ({ status }: Thread) => status?.id === 'RESOLVED';
const passageIn = ({ targetElement }: Thread) => (targetElement ?? {}) as Partial<Passage>;
let showsResolved = false;
/** How many comments of each thread are known. */
const known = new Map<string, number>();

/** Shows the threads of the document beside their passages. */
export function showThreads(): void {
  const show = list<Thread>(byId('threads'), ({ annotationId }) => annotationId, threadView);
  let isLive = false;
  const update = () => {
    const { threads: all, status } = threads.get();
    const shown = all.filter((thread) => showsResolved || !isResolved(thread));
    show(inOrder(shown));
    for (const thread of all) if (!shown.includes(thread)) removeNote(thread.annotationId);
    layOut();
    announceNews(all, isLive);
    isLive ||= status === 'live';

    byId('no-threads').hidden = !isLive || shown.length > 0;
    byId('mark-read').hidden = !all.some(({ isUnread }) => isUnread);
    const resolved = byId('show-resolved');
    resolved.hidden = !all.some(isResolved);
    resolved.textContent = `Resolved (${all.filter(isResolved).length})`;
    resolved.ariaPressed = String(showsResolved);
  };
  threads.subscribe(update);
  update();
  byId('show-resolved').addEventListener('click', () => {
    showsResolved = !showsResolved;
    update();
  });
  byId('mark-read').addEventListener('click', () => attempt(threads.markRead()));
  article.addEventListener('click', ({ clientX, clientY }) => {
    const found = getSelection()?.isCollapsed ? noteAt(clientX, clientY) : undefined;
    activate(found);
    if (found) openNote(found);
  });
}

function threadView({ annotationId }: Thread): View<Thread> {
  const quote = el('button', { type: 'button', className: 'quote' });
  const comments = el('ol');
  const show = list<Comment>(
    comments,
    ({ commentId }) => String(commentId),
    (comment) => commentView(annotationId, comment),
  );
  const waiting = el('p', { className: 'waiting' }, 'Not sent yet');
  const resolve = el('button', { type: 'button', className: 'quiet resolve' });
  const reply = composer({
    label: 'Reply',
    action: 'Reply',
    takesPictures: true,
    submit: (draft) => threads.reply(annotationId, draft),
  });
  const root = el('li', { id: annotationId, className: 'thread' }, quote, comments, waiting, reply, resolve);
  new ResizeObserver(layOut).observe(root);
  let shown: Thread | undefined;
  const open = () => {
    activate(annotationId);
    if (shown?.isUnread) attempt(threads.markRead(annotationId));
  };
  root.addEventListener('focusin', open);
  root.addEventListener('click', open);
  quote.addEventListener('click', () => {
    const passage = findPassage(article, passageIn(shown!));
    passage?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  });

  return {
    root,
    leave() {
      const typed = reply.querySelector('textarea')?.value.trim();
      if (!typed) return;
      attempt(Promise.reject(new Error(`“${typed}” was not sent: its thread was resolved or deleted.`)));
    },
    update(thread) {
      const { targetText } = passageIn(thread);
      const passage = findPassage(article, passageIn(thread));
      putNote(annotationId, { root, passage });
      if (thread === shown) return;
      shown = thread;
      const place = passage ? '' : 'No longer in the article: ';
      quote.textContent = `${isResolved(thread) ? 'Resolved: ' : ''}${place}“${targetText}”`;
      show(thread.comments);
      root.classList.toggle('unread', thread.isUnread === true);
      root.classList.toggle('resolved', isResolved(thread));
      waiting.hidden = !thread.pending;
      resolve.textContent = isResolved(thread) ? 'Reopen' : 'Resolve';
      resolve.onclick = () =>
        attempt(threads.update(annotationId, { status: { id: isResolved(thread) ? 'OPEN' : 'RESOLVED' } }));
    },
  };
}

/** In the order of their passages. Threads without a passage are last. */
function inOrder(unordered: readonly Thread[]): Thread[] {
  const placed = unordered.map((thread) => {
    const passage = findPassage(article, passageIn(thread));
    return { thread, at: passage ? textBefore(article, passage).length : Number.MAX_SAFE_INTEGER };
  });
  placed.sort((a, b) => a.at - b.at || a.thread.createdAt - b.thread.createdAt);
  return placed.map(({ thread }) => thread);
}

/** Has screen readers say what others have written, except for what was there before. */
function announceNews(all: readonly Thread[], isLive: boolean): void {
  for (const { annotationId, comments } of all) {
    const last = comments.at(-1);
    const isNew = comments.length > (known.get(annotationId) ?? 0);
    known.set(annotationId, comments.length);
    if (!isLive || !isNew || !last || last.from?.userId === me.userId) continue;
    announce(`${last.from?.name ?? 'Someone'} commented: ${asTyped(last)}`);
  }
}
