import { Editor } from '@tiptap/core';
import Collaboration from '@tiptap/extension-collaboration';
import StarterKit from '@tiptap/starter-kit';
import { connect, element } from './connection.ts';

const provider = connect();
const editor = new Editor({
  element,
  extensions: [
    StarterKit.configure({ undoRedo: false }),
    Collaboration.configure({ document: provider.document }),
  ],
});
provider.on('authenticated', () => editor.setEditable(provider.authorizedScope === 'read-write'));
window.setEditable = (isEditable) => editor.setEditable(isEditable);
