import { afterAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { newLiveTenant } from '../e2e/live-tenant.ts';
import { ownDatabase } from '../e2e/own-database.ts';
import { startService } from '../e2e/service.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

test('editors outlive a restart and a kill of the service, and keep what is written meanwhile', async () => {
  const { env } = await ownDatabase(cleanUp);
  let service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
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
    cleanUp.push(() => editor.close());
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
    service = await startService({ ...env, PORT: new URL(baseUrl).port });
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
