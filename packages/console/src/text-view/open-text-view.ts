import { defaultKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

const look = EditorView.theme({
  '&': { color: 'var(--rp-text)', backgroundColor: 'transparent' },
  // The frame around the host shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { caretColor: 'var(--rp-text)' },
  '.cm-placeholder': { color: 'var(--rp-text-muted)' },
});

/**
 * Opens CodeMirror within `host`. It lies in a shadow root, where its style sheets are adopted: in the document they
 * would be a `<style>`, which the policy of the console forbids. A text that may only be read keeps the focus, so that
 * it can be scrolled and copied with the keyboard.
 */
export function openTextView(
  host: HTMLElement,
  {
    text,
    label,
    isReadOnly,
    extensions,
  }: {
    text: string;
    /** Name of the text for those who do not see it. */
    label: string;
    isReadOnly: boolean;
    /** What this text has besides; it comes first and so has precedence. */
    extensions: readonly Extension[];
  },
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        extensions,
        look,
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        keymap.of(defaultKeymap),
      ],
    }),
  });
}
