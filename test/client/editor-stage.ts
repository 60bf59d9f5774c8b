import { onTestFinished } from 'vitest';
import type { Doc } from 'yjs';
import {
  type Editor,
  type EditorOptions,
  type EditorState,
  openEditor,
} from '../../packages/client/src/editors.ts';
import { createClient, type Redpen } from '../../packages/client/src/index.ts';
import { editor as body, startNode, tokenOf, withDocument } from '../live/live-node.ts';
import { until } from '../run/until.ts';

export const httpOf = (url: string) => url.replace('ws:', 'http:').replace('/v2/realtime', '');
export const textOf = ({ ydoc }: { ydoc: Doc }) => ydoc.getText('content').toString();
export const contentOf = ({ ydoc }: { ydoc: Doc }) => ydoc.getText('content');

/** Opens the editor of the tests until the end of the test. */
export function open(redpen: Redpen, options: Partial<EditorOptions> = {}): Editor {
  const editor = openEditor(redpen, { ...body, ...options });
  onTestFinished(() => editor.close());
  return editor;
}

/** The states of an editor, as a page that subscribes to it sees them. */
export function statesOf(editor: Editor): EditorState[] {
  const states = [editor.get()];
  editor.subscribe(() => states.push(editor.get()));
  return states;
}

export const ended = async (editor: Editor): Promise<EditorState> => {
  await until(() => editor.status === 'ended' || editor.status === 'failed', 'the end');
  return editor.get();
};

/** A node that checks rights often, and a document. */
export async function newStage(document: object = {}, limits: object = {}) {
  const node = await startNode({ limits: { checkRightsEveryMs: 50, ...limits } });
  const workspace = await withDocument(document);
  const clientOf = (userId: string, options: Parameters<typeof tokenOf>[1] = {}) =>
    createClient({
      baseUrl: httpOf(node.url),
      getUserToken: () => tokenOf(workspace, { userId, ...options }),
    });
  return { node, workspace, clientOf };
}
