import { baseKeymap, toggleMark } from '@tiptap/pm/commands';
import { keymap } from '@tiptap/pm/keymap';
import { Schema } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { EditorView } from '@tiptap/pm/view';
import { ySyncPlugin } from 'y-prosemirror';
import { connect, element } from './connection.ts';

const { document } = connect();
const schema = new Schema({
  nodes: {
    doc: { content: 'paragraph+' },
    paragraph: { content: 'text*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    text: {},
  },
  marks: { strong: { parseDOM: [{ tag: 'strong' }], toDOM: () => ['strong', 0] } },
});
const plugins = [
  ySyncPlugin(document.getXmlFragment('prosemirror')),
  keymap({ ...baseKeymap, 'Mod-b': toggleMark(schema.marks.strong) }),
];
new EditorView(element, { state: EditorState.create({ schema, plugins }) });
