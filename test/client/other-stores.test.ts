import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { until } from '../run/until.ts';
import { oddServer } from './odd-server.ts';
import { liveStateOf, type StoreStage, settled, stageForFile, use } from './store-stage.ts';

let stage: StoreStage;
stageForFile((made) => {
  stage = made;
});

test('notifications of a user arrive, and are marked as read', async () => {
  const home = { organizationId: 'acme', documentId: 'home' };
  const nina = stage.clientOf('nina').live.notifications(home);
  const get = await liveStateOf(nina);
  for (const to of ['nina', 'gus', 'nina']) {
    await stage.tenant.must('/v2/notifications/add', {
      ...home,
      actionUser: { userId: 'ada', name: 'Ada', email: 'ada@example.com' },
      displayHeadlineMessageTemplate: `For ${to}`,
      displayBodyMessage: 'Look',
      notifyUsers: [{ userId: to, name: to, email: `${to}@example.com` }],
      notifyAll: false,
    });
  }
  const { notifications } = await settled(get, (state) => state.unread === 2);
  expect(notifications.map((one) => one.displayHeadlineMessageTemplate)).toEqual(['For nina', 'For nina']);
  const marked = nina.markRead([notifications[0]!.id]);
  expect(get().unread).toBe(1);
  await marked;
  await nina.markAllRead();
  await settled(get, (state) => state.unread === 0);
  const again = await liveStateOf(stage.clientOf('nina').live.notifications({ ...home, max: 1 }));
  expect(again()).toMatchObject({ unread: 0, notifications: [{ isUnread: false }] });
  // For a backend, the user is in the query.
  const { apiKeyId: apiKey, headers } = stage.tenant;
  const backend = createClient({ baseUrl: stage.url, apiKey, authToken: headers['x-service-auth-token'] });
  const ofGus = await liveStateOf(backend.live.notifications({ ...home, userId: 'gus' }));
  expect(ofGus()).toMatchObject({ unread: 1, notifications: [{}] });
});

test('users see each other come and go, and a user in two tabs stays until both are left', async () => {
  const place = await stage.newDocument();
  const eve = stage.clientOf('eve').live.presence(place);
  const get = await liveStateOf(eve);
  const tabs = [0, 1].map(() => stage.clientOf('ada').live.presence(place));
  for (const tab of tabs) {
    await liveStateOf(tab);
    await tab.join({ data: { cursor: 1 } });
  }
  await settled(get, ({ users }) => users.length === 1 && users[0]?.cursor === 1);
  const moved = tabs[1]!.update({ status: 'away', data: { cursor: 2 } });
  expect(tabs[1]!.get().users).toMatchObject([{ userId: 'ada', status: 'away', cursor: 2 }]);
  await moved;
  await settled(get, ({ users }) => users[0]?.status === 'away' && users[0].cursor === 2);
  const states: number[] = [];
  onTestFinished(eve.subscribe(() => states.push(get().users.length)));
  await tabs[0]!.leave();
  await until(() => states.at(-1) === 1 && states.includes(0), 'the other tab to come back');
  await tabs[1]!.leave();
  await settled(get, ({ users }) => users.length === 0);
  await expect(eve.join({ user: { userId: 'gus' } })).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  expect(get().users).toEqual([]);
});

test('a run is followed to its end', async () => {
  const { apiKeyId: apiKey, headers } = stage.tenant;
  const backend = createClient({ baseUrl: stage.url, apiKey, authToken: headers['x-service-auth-token'] });
  const site = await oddServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<a href="mailto:nowhere">Write to us</a>');
  });
  const { executionId } = await backend.executions.run({ agentId: 'broken-links', url: `${site}/` });
  const get = use(backend.live.run(executionId));
  const { execution, lines, findings } = await settled(get, ({ status }) => status === 'ended');
  expect(execution).toMatchObject({ id: executionId, status: 'failed' });
  expect(lines.some(({ message }) => message.includes('Broken links'))).toBe(true);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  expect(findings).toHaveLength(1);
  const unknown = use(backend.live.run('exec_1_none'));
  await settled(unknown, ({ status, error }) => status === 'failed' && error?.status === 'NOT_FOUND');
});
