import { Compartment } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { yCollab } from 'y-codemirror.next';
import { connect, element, place } from './connection.ts';

const provider = connect();
const text = provider.document.getText('content');
const editable = new Compartment();
const view = new EditorView({
  doc: text.toString(),
  extensions: [editable.of([]), yCollab(text, provider.awareness)],
  parent: element,
});
provider.setAwarenessField('user', { name: place.userId });
window.setEditable = (isEditable) =>
  view.dispatch({ effects: editable.reconfigure(EditorView.editable.of(isEditable)) });
provider.on('authenticated', () => window.setEditable(provider.authorizedScope === 'read-write'));
