import { openEditor } from '@redpen/client/editors';
import * as Y from 'yjs';
import { byId } from './dom.ts';
import { place, redpen } from './redpen.ts';

/** Shows the notes, which all people on the page write at the same time. */
export function showSharedText(): void {
  const area = byId<HTMLTextAreaElement>('text');
  const editor = openEditor(redpen, { ...place, editorId: 'notes' });
  bindTextArea(area, editor.ydoc.getText('content'));
  let isSynced = false;
  const update = () => {
    const { status, saved, readOnly, error } = editor.get();
    isSynced ||= status === 'live';
    // Also without a connection: what is typed is kept, and sent later.
    area.readOnly = readOnly || !isSynced;
    byId('notes-state').textContent =
      status === 'live'
        ? saved
          ? 'Saved'
          : 'Saving …'
        : status === 'offline'
          ? 'Offline'
          : (error?.message ?? '');
  };
  editor.subscribe(update);
  update();
  addEventListener('online', () => editor.reconnect());
}

/**
 * Binds a text area to a shared text, in both directions. The area shows a copy of the document: while an input method
 * composes a letter, the area must not change, so what others write waits in the original until the letter is there.
 */
function bindTextArea(area: HTMLTextAreaElement, shared: Y.Text): void {
  const original = shared.doc!;
  const copy = new Y.Doc();
  const text = copy.getText('content');
  const history = new Y.UndoManager(text, { trackedOrigins: new Set(['typed']) });
  let isComposing = false;

  /** Changes the text from elsewhere, and keeps the caret at its letter. */
  const change = (work: () => void) => {
    const carets = [area.selectionStart, area.selectionEnd].map((index) =>
      Y.createRelativePositionFromTypeIndex(text, index, -1),
    );
    work();
    if (area.value === text.toString()) return;
    area.value = text.toString();
    const [start, end] = carets.map((caret) => Y.createAbsolutePositionFromRelativePosition(caret, copy));
    area.setSelectionRange(start?.index ?? 0, end?.index ?? 0);
  };
  const receive = () => {
    if (isComposing) return;
    const missing = Y.encodeStateAsUpdate(original, Y.encodeStateVector(copy));
    change(() => Y.applyUpdate(copy, missing, 'received'));
  };
  const send = () => {
    const { start, removed, inserted } = difference(text.toString(), area.value, area.selectionEnd);
    copy.transact(() => {
      text.delete(start, removed);
      text.insert(start, inserted);
    }, 'typed');
  };

  original.on('update', receive);
  copy.on('update', (update, origin) => {
    if (origin !== 'received') Y.applyUpdate(original, update);
  });
  area.addEventListener('input', send);
  area.addEventListener('compositionstart', () => {
    isComposing = true;
  });
  area.addEventListener('compositionend', () => {
    isComposing = false;
    send();
    receive();
  });
  area.addEventListener('keydown', (event) => {
    // The browser's own undo would also undo what others wrote.
    if (!(event.ctrlKey || event.metaKey) || !/^[zy]$/i.test(event.key) || area.readOnly) return;
    event.preventDefault();
    const isRedo = event.key.toLowerCase() === 'y' || event.shiftKey;
    change(() => (isRedo ? history.redo() : history.undo()));
  });
  receive();
}

/** The one change that leads from one text to another. The caret is behind it, which decides among equal letters. */
export function difference(before: string, after: string, caret: number) {
  const most = Math.min(before.length, after.length);
  let end = 0;
  while (end < Math.min(most, after.length - caret) && before.at(-1 - end) === after.at(-1 - end)) end++;
  let start = 0;
  while (start < most - end && before[start] === after[start]) start++;
  // The two halves of a character such as an emoji stay together.
  if (start > 0 && /[\uD800-\uDBFF]/.test(before[start - 1]!)) start--;
  if (end > 0 && /[\uDC00-\uDFFF]/.test(before.at(-end)!)) end--;
  return { start, removed: before.length - end - start, inserted: after.slice(start, after.length - end) };
}
