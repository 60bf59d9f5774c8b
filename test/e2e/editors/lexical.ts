import { registerRichText } from '@lexical/rich-text';
import {
  type Binding,
  createYjsBinding,
  type Provider,
  syncLexicalUpdateToYjs,
  syncYjsChangesToLexical,
} from '@lexical/yjs';
import { $createParagraphNode, $getRoot, createEditor, HISTORY_MERGE_TAG, SKIP_COLLAB_TAG } from 'lexical';
import { connect, element } from './connection.ts';

const provider = connect();
const peers = provider as unknown as Provider;
const editor = createEditor({ onError: (error) => reportError(error) });
registerRichText(editor);
const binding: Binding = createYjsBinding({
  editor,
  id: 'main',
  doc: provider.document,
  docMap: new Map([['main', provider.document]]),
});
const root = binding.root.getSharedType();
root.observeDeep((events, { origin }) => {
  if (origin !== binding) syncYjsChangesToLexical(binding, peers, events, false);
});
editor.registerUpdateListener((update) => {
  if (update.tags.has(SKIP_COLLAB_TAG)) return;
  syncLexicalUpdateToYjs(
    binding,
    peers,
    update.prevEditorState,
    update.editorState,
    update.dirtyElements,
    update.dirtyLeaves,
    update.normalizedNodes,
    update.tags,
  );
});
provider.on('synced', () => {
  if (root.length > 0) return;
  editor.update(() => void $getRoot().append($createParagraphNode()), { tag: HISTORY_MERGE_TAG });
});
element.contentEditable = 'true';
editor.setRootElement(element);
