import { EditorView, keymap, placeholder } from '@codemirror/view';
import type { Editor } from '@redpen/client/editors';
import { useEffect, useRef } from 'react';
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next';
import { openTextView } from '../../text-view/open-text-view.ts';
import styles from './editor.module.css';

/** Name of the text in the editor's document. */
export const TEXT = 'content';

const look = EditorView.theme({
  '&': { height: '100%' },
  '.cm-content': {
    fontFamily: 'var(--rp-font)',
    fontSize: '15px',
    padding: '12px 16px',
  },
  '.cm-line': { padding: '0' },
  '.cm-ySelectionInfo': { fontFamily: 'var(--rp-font)', opacity: '1', padding: '0 4px', borderRadius: '3px' },
});

/** The shared text of a live editor. */
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
    const text = editor.ydoc.getText(TEXT);
    const view = openTextView(element, {
      text: text.toString(),
      label,
      isReadOnly,
      extensions: [
        yCollab(text, editor.provider.awareness),
        isReadOnly ? [] : placeholder('Type here'),
        keymap.of(yUndoManagerKeymap),
        look,
      ],
    });
    return () => view.destroy();
  }, [editor, label, isReadOnly]);
  return <div ref={host} className={styles.text} />;
}
