import { createClient, type Redpen } from '@redpen/client';
import { type Editor, type EditorState, openEditor } from '@redpen/client/editors';
import { useEffect, useState, useSyncExternalStore } from 'react';

export interface Place {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** A person of the demonstration, for whom the console makes a user token. */
export interface Writer {
  userId: string;
  name: string;
  color: string;
  accessRole: 'editor' | 'viewer';
}

/** A client that calls the service as another user than the member, as the page of an application does. */
const clientOf = (redpen: Redpen, writer: Writer, { organizationId }: Place): Redpen =>
  createClient({
    baseUrl: location.origin,
    async getUserToken() {
      const { userId, name, accessRole } = writer;
      const { token } = await redpen.auth.generateToken({
        userId,
        userProperties: { name, email: `${userId}@console.example` },
        permissions: { resources: [{ type: 'organization', id: organizationId, accessRole }] },
      });
      return token;
    },
  });

const LOADING: EditorState = { status: 'loading', readOnly: false, saved: true };
const nothing = () => () => {};

/** Opens a live editor for a writer while the component is shown. A closed one is left, as by a lost connection. */
export function useSharedEditor(redpen: Redpen, writer: Writer, place: Place, isOnline: boolean) {
  const { organizationId, documentId, editorId } = place;
  const { userId, name, color, accessRole } = writer;
  const [editor, setEditor] = useState<Editor>();
  useEffect(() => {
    if (!isOnline) return;
    const target = { organizationId, documentId, editorId };
    const client = clientOf(redpen, { userId, name, color, accessRole }, target);
    const opened = openEditor(client, { ...target, user: { name, color } });
    // The state of the editor tells of the failure.
    opened.synced.catch(() => {});
    setEditor(opened);
    return () => {
      opened.close();
      setEditor(undefined);
    };
  }, [redpen, organizationId, documentId, editorId, userId, name, color, accessRole, isOnline]);
  const state = useSyncExternalStore(
    editor?.subscribe.bind(editor) ?? nothing,
    () => editor?.get() ?? LOADING,
  );
  return { editor, state };
}
