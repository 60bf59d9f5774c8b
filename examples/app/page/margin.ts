import { byId } from './dom.ts';

/** A thread, or the draft of one, and the passage that it stands beside. */
interface Note {
  root: HTMLElement;
  passage: Range | undefined;
}

const GAP = 12;
const article = byId('article');
const notes = new Map<string, Note>();
const isWide = matchMedia('(width >= 45rem)');
let active: string | undefined;

export function putNote(id: string, note: Note): void {
  notes.set(id, note);
}

export function removeNote(id: string): void {
  notes.delete(id);
  if (active === id) active = undefined;
}

/** Moves a note exactly beside its passage, and marks both. */
export function activate(id: string | undefined): void {
  if (id === active) return;
  active = id;
  layOut();
}

/** Places the notes beside their passages, one below the other. On a narrow page they simply follow the article. */
export function layOut(): void {
  mark();
  for (const [id, { root }] of notes) root.classList.toggle('active', id === active);
  const margin = byId('margin');
  const ordered = inOrder();
  if (!isWide.matches) {
    margin.style.minHeight = '';
    for (const { root } of ordered) root.style.top = '';
    return;
  }
  const from = margin.getBoundingClientRect().top;
  const heights = ordered.map(({ root }) => root.offsetHeight + GAP);
  const tops = ordered.map(({ passage }) => (passage ? topOf(passage) - from : 0));
  // From the active note upward first, so that only the others give way; then from the top downward.
  const center = ordered.findIndex(({ root }) => root.classList.contains('active'));
  for (let at = center - 1; at >= 0; at--) tops[at] = Math.min(tops[at]!, tops[at + 1]! - heights[at]!);
  let bottom = 0;
  for (const [at, { root }] of ordered.entries()) {
    const top = Math.max(tops[at]!, bottom);
    bottom = top + heights[at]!;
    root.style.top = `${top}px`;
  }
  margin.style.minHeight = `${bottom}px`;
}

/** Colors the passages, without changing the article. */
function mark(): void {
  if (!('highlights' in CSS)) return;
  const passages = [...notes].flatMap(([id, { passage }]) => (passage ? [{ id, passage }] : []));
  const others = passages.filter(({ id }) => id !== active);
  CSS.highlights.set('passage', new Highlight(...others.map(({ passage }) => passage)));
  const [current] = passages.filter(({ id }) => id === active);
  CSS.highlights.set('active-passage', new Highlight(...(current ? [current.passage] : [])));
}

const topOf = (passage: Range): number => passage.getClientRects()[0]?.top ?? 0;

const inOrder = (): Note[] =>
  [...notes.values()].sort((a, b) => {
    if (a.passage && b.passage) return a.passage.compareBoundaryPoints(Range.START_TO_START, b.passage);
    return Number(a.passage === undefined) - Number(b.passage === undefined);
  });

/** The note of the passage at a point of the page; of several, that of the shortest. */
export function noteAt(x: number, y: number): string | undefined {
  const found = [...notes].filter(([, { passage }]) =>
    [...(passage?.getClientRects() ?? [])].some(
      ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    ),
  );
  const length = ([, { passage }]: [string, Note]) => String(passage).length;
  return found.sort((a, b) => length(a) - length(b))[0]?.[0];
}

/** Shows a note, with the focus on it. */
export function openNote(id: string): void {
  const root = notes.get(id)?.root;
  root?.querySelector('button')?.focus({ preventScroll: true });
  root?.scrollIntoView({ block: 'nearest' });
}

new ResizeObserver(layOut).observe(article);
isWide.addEventListener('change', layOut);
// Fonts and pictures move the lines of the article.
void document.fonts.ready.then(layOut);
