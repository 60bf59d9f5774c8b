import { history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { openTextView } from '../../../text-view/open-text-view.ts';

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--rp-link)' },
  { tag: tags.string, color: 'var(--rp-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--rp-high)' },
  { tag: tags.invalid, color: 'var(--rp-bad)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: 'var(--rp-text-xs)' },
  '.cm-scroller': { fontFamily: 'var(--rp-font-mono)', lineHeight: '1.65', minHeight: '340px' },
  '.cm-content': { padding: '10px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--rp-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--rp-bg-sunken)',
    color: 'var(--rp-text-muted)',
    borderInlineEnd: '1px solid var(--rp-border)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--rp-bg-hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--rp-bg-active)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--rp-bg-selected)',
  },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--rp-bg-active)',
    outline: '1px solid var(--rp-border-strong)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--rp-bg-active)',
    border: 'none',
    color: 'var(--rp-text-muted)',
    padding: '0 6px',
  },
});

export interface CodeEditor {
  setText(text: string): void;
  showLine(line: number): void;
  destroy(): void;
}

/** Opens an editor of JSON within `host`, with line numbers, folds and colors. */
export function openCodeEditor(
  host: HTMLElement,
  {
    onChange,
    ...shown
  }: { text: string; label: string; isReadOnly: boolean; onChange: (text: string) => void },
): CodeEditor {
  const view = openTextView(host, {
    ...shown,
    extensions: [
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      json(),
      syntaxHighlighting(colors),
      theme,
      keymap.of([...historyKeymap, ...foldKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  });
  return {
    setText(next) {
      if (view.state.doc.toString() === next) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    showLine(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
