import { defaultKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Editor } from '@redpen/client/editors';
import { useEffect, useRef } from 'react';
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next';
import styles from './editor.module.css';

/** Name of the text in the editor's document. */
export const TEXT = 'content';

const look = EditorView.theme({
  '&': { color: 'var(--rp-text)', backgroundColor: 'var(--rp-bg-raised)', height: '100%' },
  '.cm-content': {
    fontFamily: 'var(--rp-font)',
    fontSize: '15px',
    padding: '12px',
    caretColor: 'var(--rp-text)',
  },
  '.cm-line': { padding: '0' },
  '&.cm-focused': { outline: 'none' },
  '.cm-ySelectionInfo': { fontFamily: 'var(--rp-font)', opacity: '1', padding: '0 4px', borderRadius: '3px' },
});

/**
 * The shared text of a live editor. It lies in a shadow root, where CodeMirror puts its rules into a constructed style
 * sheet; in the page it would add a `<style>`, which the policy of the console forbids.
 */
export function SharedText({
  editor,
  label,
  isReadOnly,
}: {
  editor: Editor;
  label: string;
  isReadOnly: boolean;
}) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const text = editor.ydoc.getText(TEXT);
    const extensions: Extension[] = [
      yCollab(text, editor.provider.awareness),
      keymap.of([...yUndoManagerKeymap, ...defaultKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.editable.of(!isReadOnly),
      EditorState.readOnly.of(isReadOnly),
      look,
    ];
    const state = EditorState.create({ doc: text.toString(), extensions });
    const view = new EditorView({ state, parent: root, root });
    return () => view.destroy();
  }, [editor, label, isReadOnly]);
  return <div ref={host} className={styles.text} />;
}
