import { expect, onTestFinished, test } from 'vitest';
import { type Editor, openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { until } from '../run/until.ts';
import { newLiveTenant } from '../service/live-tenant.ts';
import { ownService } from '../service/worker-service.ts';

test('editors outlive a restart and a kill of the service, and keep what is written meanwhile', async () => {
  const service = await ownService();
  const baseUrl = service.url;
  const tenant = await newLiveTenant(() => service);
  const tokens: string[] = [];
  const open = (userId: string): Editor => {
    const redpen = createClient({
      baseUrl,
      async getUserToken() {
        const token = await tenant.token(userId);
        tokens.push(token);
        return token;
      },
    });
    const editor = openEditor(redpen, { organizationId: 'acme', documentId: 'home', editorId: 'body' });
    onTestFinished(() => editor.close());
    return editor;
  };
  const [ada, bob] = [open('ada'), open('bob')];
  await Promise.all([ada.synced, bob.synced]);
  const textOf = ({ ydoc }: Editor) => ydoc.getText('content');
  const errors: (string | undefined)[] = [];
  ada.subscribe(() => errors.push(ada.get().error?.message));

  let expected = '';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await service.kill(signal);
    await until(() => ada.status === 'offline' && bob.status === 'offline', 'the end of the connections');
    textOf(ada).insert(textOf(ada).length, `(${signal})`);
    expected += `(${signal})`;
    expect(ada.get().saved).toBe(false);
    await service.restart();
    await until(() => ada.get().saved && textOf(bob).toString() === expected, 'the text');
    const [stored] = await tenant.must('/v2/crdt/get', { organizationId: 'acme', documentId: 'home' });
    expect(stored.data).toBe(expected);
    expect([ada.get(), bob.get()]).toMatchObject([{ status: 'live' }, { status: 'live' }]);
  }
  expect(errors).toContain('The service is restarting.');
  expect(errors).toContain('The connection was lost.');
  expect(tokens).toHaveLength(2);
  for (const token of tokens) expect(service.output()).not.toContain(token);
});
