import { expect, onTestFinished, test } from 'vitest';
import { type Editor, type EditorOptions, openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { editor as body, startNode, tokenOf, withDocument } from '../live-node.ts';
import { until } from '../until.ts';

const httpOf = (url: string) => url.replace('ws:', 'http:').replace('/v2/realtime', '');
const textOf = ({ ydoc }: Editor) => ydoc.getText('content').toString();

/** Opens the editor of the tests until the end of the test. */
function open(redpen: ReturnType<typeof createClient>, options: Partial<EditorOptions> = {}): Editor {
  const editor = openEditor(redpen, { ...body, ...options });
  onTestFinished(() => editor.close());
  return editor;
}

async function newStage() {
  const node = await startNode({ limits: { checkRightsEveryMs: 50 } });
  const workspace = await withDocument();
  const clientOf = (userId: string, options: Parameters<typeof tokenOf>[1] = {}) =>
    createClient({
      baseUrl: httpOf(node.url),
      getUserToken: () => tokenOf(workspace, { userId, ...options }),
    });
  return { node, workspace, clientOf };
}

test('two users write a text together', async () => {
  const { clientOf } = await newStage();
  const ada = open(clientOf('ada'), { user: { name: 'Ada' } });
  const bob = open(clientOf('bob'));
  await Promise.all([ada.synced, bob.synced]);
  expect(ada.status).toBe('live');
  ada.ydoc.getText('content').insert(0, 'Hello');
  await until(() => textOf(bob) === 'Hello', 'the text');
  bob.ydoc.getText('content').insert(5, ', world');
  await until(() => textOf(ada) === 'Hello, world' && ada.get().saved, 'the text');
  await until(
    () => [...bob.provider.awareness!.getStates().values()].some((s) => s.user?.name === 'Ada'),
    'a caret',
  );
});
