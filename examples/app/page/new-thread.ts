import { composer } from './composer.ts';
import { byId, el } from './dom.ts';
import { activate, layOut, openNote, putNote, removeNote } from './margin.ts';
import { findPassage, type Passage, passageOf } from './passages.ts';
import { threads } from './redpen.ts';

const article = byId('article');

/** Offers to comment on what is selected, and on each paragraph for people who do not select with a mouse. */
export function offerComments(): void {
  const open = draftForm();
  const start = (range: Range) => {
    const passage = passageOf(article, range);
    if (passage) open(passage);
  };
  offerAtSelection(start);
  for (const block of article.querySelectorAll<HTMLElement>('p, li')) offerAt(block, start);
}

/** The form for the first comment of a thread; returns the function that opens it beside a passage. */
function draftForm(): (passage: Passage) => void {
  const root = byId('draft');
  const quote = el('p', { className: 'quote' });
  let passage: Passage | undefined;
  let opener: Element | null = null;

  const open = (at: Passage) => {
    if (root.hidden) opener = document.activeElement;
    passage = at;
    quote.textContent = `“${at.targetText}”`;
    root.hidden = false;
    putNote('draft', { root, passage: findPassage(article, at) });
    activate('draft');
    getSelection()?.removeAllRanges();
    form.querySelector('textarea')?.focus();
  };
  const close = () => {
    root.hidden = true;
    removeNote('draft');
    layOut();
    if (opener instanceof HTMLElement) opener.focus();
  };
  const form = composer({
    label: 'Comment',
    action: 'Comment',
    takesPictures: true,
    submit: async (draft) => {
      const at = passage!;
      const annotationId = `ann_${crypto.randomUUID()}`;
      close();
      const added = threads.add(draft, { annotationId, targetElement: { ...at } });
      const stop = threads.subscribe(() => {
        if (!document.getElementById(annotationId)) return;
        stop();
        openNote(annotationId);
      });
      try {
        await added;
      } catch (error) {
        if (root.hidden) open(at);
        throw error;
      } finally {
        stop();
      }
    },
    close,
  });
  root.replaceChildren(quote, form);
  new ResizeObserver(layOut).observe(root);
  return open;
}

function offerAtSelection(start: (range: Range) => void): void {
  const button = byId('comment-on-selection');
  document.addEventListener('selectionchange', () => {
    const range = selectedRange();
    button.hidden = !range;
    const box = range?.getBoundingClientRect();
    if (!box) return;
    button.style.left = `${box.left + box.width / 2 + scrollX}px`;
    button.style.top = `${box.bottom + scrollY}px`;
  });
  // The click must not clear the selection before it is read.
  button.addEventListener('pointerdown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    const range = selectedRange();
    if (range) start(range);
  });
}

function selectedRange(): Range | undefined {
  const selection = getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  return article.contains(range.commonAncestorContainer) && range.toString().trim() ? range : undefined;
}

function offerAt(block: HTMLElement, start: (range: Range) => void): void {
  const range = document.createRange();
  range.selectNodeContents(block);
  const words = block.textContent.split(/\s+/).slice(0, 5).join(' ');
  const mark = el(
    'button',
    { type: 'button', className: 'mark', ariaLabel: `Comment on “${words} …”`, onclick: () => start(range) },
    '+',
  );
  byId('marks').append(mark);
  new ResizeObserver(() => {
    mark.style.top = `${block.offsetTop}px`;
  }).observe(article);
}
