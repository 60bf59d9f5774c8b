import { Document } from '@hocuspocus/server';
import { expect, onTestFinished, test } from 'vitest';
import {
  Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from 'y-protocols/awareness';
import { Doc } from 'yjs';
import { createBusHub } from '../../test/fakes/bus-hub.ts';
import { createChannels } from './channels.ts';
import { newOpenEditor, type OpenEditor, STORED } from './open-editor.ts';

const key = { apiKeyId: 'key', organizationId: 'acme', documentId: 'home', editorId: 'body' };

/** An editor that is open, and a client of another process in it. */
async function openEditor() {
  const missed: OpenEditor[] = [];
  const channels = createChannels({
    bus: createBusHub().join(),
    onGone: () => {},
    onMissed: async (editor) => void missed.push(editor),
    onError: (error) => {
      throw error;
    },
  });
  const editor = newOpenEditor(key, new Document('acme/home/body'));
  const client = new Awareness(new Doc());
  client.setLocalState({ user: { name: 'Ada' } });
  onTestFinished(async () => {
    await channels.stop();
    editor.document.destroy();
    client.destroy();
  });
  await channels.join(editor);
  applyAwarenessUpdate(editor.document.awareness, encodeAwarenessUpdate(client, [client.clientID]), STORED);
  return { missed, editor, client };
}

test('an editor is read again when somebody elsewhere fell silent, whose process may have died', async () => {
  const { missed, editor, client } = await openEditor();
  removeAwarenessStates(editor.document.awareness, [client.clientID], 'timeout');
  expect(missed).toEqual([editor]);
});

test('an editor is not read again when somebody left as one should', async () => {
  const { missed, editor, client } = await openEditor();
  removeAwarenessStates(editor.document.awareness, [client.clientID], STORED);
  expect(missed).toEqual([]);
});
