import { expect, test } from 'vitest';
import { startSmtpFake } from '../../test/fakes/smtp-server.ts';
import { addNotification, setConfig, startMail, subjectsOf } from '../../test/messages/mail-stage.ts';
import { expectLog } from '../../test/run/log-watch.ts';

test('a named user gets one mail, in which the text of users is escaped', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server, {
    emailServiceConfig: { fromCompany: 'Acme', fromEmail: 'team@acme.example' },
  });
  const { workspace, work, states } = stage;
  await addNotification(workspace, 'n');
  await work();
  await work();
  await addNotification(workspace, 'n');
  await work();
  expect(await states()).toEqual(['n sam sent']);
  expect(server.received).toMatchObject([{ from: 'redpen@example.com', to: ['sam@example.com'] }]);
  const raw = server.received[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(raw).toContain('Subject: Jane moved <b>Plan & more</b>');
  expect(raw).toContain('From: Acme <redpen@example.com>');
  expect(raw).toContain('Reply-To: Acme <team@acme.example>');
  expect(raw).toContain('Jane moved &lt;b&gt;Plan &amp; more&lt;/b&gt;');
  expect(raw.split('text/html')[1]).not.toMatch(/<script|javascript:/);
});

test('mail follows the user’s setting: nothing, own notifications, everything', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, work, states } = stage;
  const users = ['all', 'all-here', 'mine', 'none', 'default', 'read'];
  const notifyUsers = users.map((userId) => ({ userId, email: `${userId}@example.com` }));
  await addNotification(workspace, 'theirs', { notifyUsers: [...notifyUsers, { userId: 'no-address' }] });
  const set = (userId: string, email: string, documentIds?: string[]) =>
    workspace.must('/v2/notifications/config/set', {
      organizationId: 'acme',
      userIds: [userId],
      documentIds,
      config: { email },
    });
  await set('all', 'ALL');
  await set('all-here', 'NONE');
  await set('all-here', 'ALL', ['home']);
  await set('mine', 'MINE');
  await set('none', 'NONE');
  await addNotification(workspace, 'for-all', { notifyUsers: [] });
  await workspace.must('/v2/notifications/update', {
    organizationId: 'acme',
    notifications: [{ id: 'theirs', readByUserIds: ['read'] }],
  });
  await work();
  expect((await states()).filter((state) => state.endsWith('sent'))).toEqual([
    'for-all all sent',
    'for-all all-here sent',
    'theirs all sent',
    'theirs all-here sent',
    'theirs default sent',
    'theirs mine sent',
  ]);
  expect(server.received).toHaveLength(6);
});

test('mail about notifications that are read, turned off or hidden meanwhile is not sent', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, enqueued, relay, work, passTime, states } = stage;
  await setConfig(workspace, { delayConfig: { isEnabled: true, delaySeconds: 600 } });
  await workspace.must('/v2/commentannotations/add', {
    organizationId: 'acme',
    documentId: 'home',
    createDocument: true,
    commentAnnotations: [
      {
        commentData: [
          {
            commentText: 'Hi',
            from: { userId: 'jane' },
            triggerNotification: true,
            taggedUserContacts: ['read', 'off', 'out', 'in'].map((userId) => ({
              userId,
              contact: { userId, email: `${userId}@example.com` },
            })),
          },
        ],
      },
    ],
  });
  await relay();
  expect(enqueued.map(({ runAt }) => Math.round((runAt - Date.now()) / 60_000))).toEqual([10]);
  await work();
  expect(server.received).toEqual([]);
  const [{ id }] = await workspace.must('/v2/notifications/get', {
    organizationId: 'acme',
    documentId: 'home',
  });
  await workspace.must('/v2/notifications/update', {
    organizationId: 'acme',
    notifications: [{ id, readByUserIds: ['read'] }],
  });
  await workspace.must('/v2/notifications/config/set', {
    organizationId: 'acme',
    userIds: ['off'],
    config: { email: 'NONE' },
  });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    documentId: 'home',
    users: [{ userId: 'in' }],
  });
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    accessType: 'restricted',
  });
  await passTime();
  await work();
  expect((await states()).map((state) => state.split(' ').slice(1).join(' '))).toEqual([
    'in sent',
    'off dropped',
    'out dropped',
    'read dropped',
  ]);
  expect(subjectsOf(server)).toEqual(['in@example.com jane started a thread']);
});

test('mails are grouped for a time window, which ends early when enough are waiting', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, work, passTime, states } = stage;
  await setConfig(workspace, {
    batchConfig: { document: { isEnabled: true, batchWindowSeconds: 600, maxActivities: 3 } },
  });
  await addNotification(workspace, 'a');
  await addNotification(workspace, 'b');
  await addNotification(workspace, 'other', { documentId: 'other' });
  await work();
  expect(server.received).toEqual([]);
  await addNotification(workspace, 'c');
  await work();
  expect(subjectsOf(server)).toEqual(['sam@example.com 3 new notifications']);
  await passTime();
  await work();
  expect(subjectsOf(server)).toEqual([
    'sam@example.com 3 new notifications',
    'sam@example.com Jane moved <b>Plan & more</b>',
  ]);
  expect(await states()).toEqual(['a sam sent', 'b sam sent', 'c sam sent', 'other sam sent']);
});

test('concurrent notifications fill a group early, and a repeated one counts once', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, relay, work, enqueued } = stage;
  await setConfig(workspace, {
    batchConfig: { document: { isEnabled: true, batchWindowSeconds: 600, maxActivities: 3 } },
  });
  for (const id of ['a', 'a', 'b']) await addNotification(workspace, id);
  await addNotification(workspace, 'other', { documentId: 'other' });
  await addNotification(workspace, 'c');
  await relay();
  expect(enqueued.map(({ ref, runAt }) => [ref.notificationId, runAt > Date.now()])).toEqual([
    ['a', true],
    ['b', true],
    ['other', true],
    ['c', false],
  ]);
  await work();
  expect(subjectsOf(server)).toEqual(['sam@example.com 3 new notifications']);
});

test('mail that is grouped by user covers all documents', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, work, passTime } = stage;
  await setConfig(workspace, { batchConfig: { user: { isEnabled: true } } });
  await addNotification(workspace, 'a');
  await addNotification(workspace, 'b', { documentId: 'other' });
  await work();
  expect(subjectsOf(server)).toEqual(['sam@example.com 2 new notifications']);
  await passTime();
  await work();
  expect(server.received).toHaveLength(1);
});

test.each([
  ['mail is off', undefined, { useEmailService: false }, {}],
  [
    'the address is invalid',
    /The address is not valid/,
    {},
    { notifyUsers: [{ userId: 'sam', email: 'a@x.org, b@x.org' }] },
  ],
  [
    'the provider lacks a key',
    /lacks apiKey or fromEmail/,
    { emailServiceConfig: { type: 'sendgrid', triggers: {} } },
    {},
  ],
])('no mail is sent if %s', async (_, logged, emailConfig, data) => {
  if (logged !== undefined) expectLog(logged);
  await using server = await startSmtpFake();
  using stage = await startMail(server, emailConfig);
  const { workspace, work, states } = stage;
  await addNotification(workspace, 'n', data);
  await work();
  expect(server.received).toEqual([]);
  expect((await states()).every((state) => state === 'n sam failed')).toBe(true);
});
