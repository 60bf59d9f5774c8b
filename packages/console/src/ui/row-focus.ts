/** The attribute of the control within a row that takes the focus when the cursor moves to the row. */
export const ROW_FOCUS = { 'data-row-focus': true } as const;

/**
 * Gives the focus to the control of the row at an index: at once if the row is in the page, so that the next key finds it
 * there however late the next frame is, and else once the list has drawn itself at its new place. Returns a function that
 * calls the second off.
 */
export function focusRow(list: () => HTMLElement | null, indexOf: () => number): () => void {
  const find = () => list()?.querySelector<HTMLElement>(`[data-index="${indexOf()}"] [data-row-focus]`);
  const first = find();
  first?.focus({ preventScroll: true });
  const isThere = first && document.activeElement === first;
  const frame = requestAnimationFrame(() => {
    // What a key has opened in the meantime keeps the focus.
    if (!isThere || document.activeElement === document.body) find()?.focus({ preventScroll: true });
  });
  return () => cancelAnimationFrame(frame);
}
