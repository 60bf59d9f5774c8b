import { afterEach, expect, test } from 'vitest';
import { type SmtpFake, startSmtpFake } from '../../test/fakes/smtp-server.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../test/harness.ts';
import { relayBatch } from '../events/relay.ts';
import type { JobPayload } from '../jobs/catalog.ts';
import type { Jobs } from '../jobs/queue.ts';
import { type ClosableMail, createMail } from '../outside/mail.ts';
import { notifyOfComments } from './notify-of-comments.ts';
import { queueNotificationMails } from './queue-mails.ts';
import { sendMails } from './send-mails.ts';

type Ref = JobPayload<'notification.email'>;

const opened: ClosableMail[] = [];
afterEach(() => {
  for (const mail of opened.splice(0)) mail.close();
});

/** Jobs of one test, which run when it says so. */
async function startMail(server: SmtpFake, config: object = {}) {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  await workspace.must('/v2/workspace/emailconfig/update', { useEmailService: true, ...config });
  const enqueued: { ref: Ref; runAt: number }[] = [];
  const jobs: Jobs = {
    async enqueue(_tx, _name, payload, { runAt } = {}) {
      enqueued.push({ ref: payload as Ref, runAt: runAt?.getTime() ?? Date.now() });
    },
  };
  const mail = createMail({
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    from: 'redpen@example.com',
    fetch: deps.outside.fetch,
    sendgridUrl: 'http://127.0.0.1:9',
    timeoutMs: 500,
  });
  opened.push(mail);
  const { db, keyring, log } = deps;
  const relay = async () => {
    while ((await relayBatch(db, [notifyOfComments, queueNotificationMails(jobs)])) > 0);
  };
  const work = async () => {
    await relay();
    const mine = enqueued.filter(({ ref }) => ref.apiKeyId === workspace.apiKeyId);
    for (const { ref } of mine) {
      await sendMails({ db, jobs, keyring, outside: { mail }, log }, ref, new AbortController().signal);
    }
  };
  /** As if the wait were over. */
  const passTime = () =>
    db
      .updateTable('notificationEmails')
      .set({ dueAt: 0 })
      .where('apiKeyId', '=', workspace.apiKeyId)
      .where('status', '=', 'pending')
      .execute();
  const states = async () => {
    const rows = await db
      .selectFrom('notificationEmails')
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .orderBy('notificationId')
      .orderBy('userId')
      .execute();
    return rows.map((row) => `${row.notificationId} ${row.userId} ${row.status}`);
  };
  return { workspace, enqueued, relay, work, passTime, states };
}

const add = (workspace: TestWorkspace, notificationId: string, data: object = {}) =>
  workspace.must('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'home',
    createDocument: true,
    notificationId,
    actionUser: { userId: 'jane', name: 'Jane' },
    notifyUsers: [{ userId: 'sam', name: 'Sam', email: 'sam@example.com' }],
    displayHeadlineMessageTemplate: '{actionUser} moved <b>{card}</b>',
    displayHeadlineMessageTemplateData: { card: 'Plan & more' },
    displayBodyMessage: 'See <script>alert(1)</script>',
    notificationSourceData: { url: 'javascript:alert(1)' },
    ...data,
  });
const config = (workspace: TestWorkspace, notificationServiceConfig: object) =>
  workspace.must('/v2/workspace/notificationconfig/update', { notificationServiceConfig });
const subjectsOf = (server: SmtpFake) =>
  server.received.map(({ to, raw }) => `${to} ${/^Subject: (.*)$/m.exec(raw)?.[1]?.trim()}`);

test('whom a notification names gets a mail, once, with all that users wrote as text', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, states } = await startMail(server, {
    emailServiceConfig: { fromCompany: 'Acme', fromEmail: 'team@acme.example' },
  });
  await add(workspace, 'n');
  await work();
  await work();
  await add(workspace, 'n');
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

test('mail goes to those who want it: nothing, what is theirs, everything', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, states } = await startMail(server);
  const users = ['all', 'all-here', 'mine', 'none', 'default', 'read'];
  const notifyUsers = users.map((userId) => ({ userId, email: `${userId}@example.com` }));
  await add(workspace, 'theirs', { notifyUsers: [...notifyUsers, { userId: 'no-address' }] });
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
  await add(workspace, 'for-all', { notifyUsers: [] });
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

test('what is read, turned off or hidden while it waits is not sent', async () => {
  await using server = await startSmtpFake();
  const { workspace, enqueued, relay, work, passTime, states } = await startMail(server);
  await config(workspace, { delayConfig: { isEnabled: true, delaySeconds: 600 } });
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

test('mail is gathered for a window, and goes out early when enough has come', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, passTime, states } = await startMail(server);
  await config(workspace, {
    batchConfig: { document: { isEnabled: true, batchWindowSeconds: 600, maxActivities: 3 } },
  });
  await add(workspace, 'a');
  await add(workspace, 'b');
  await add(workspace, 'other', { documentId: 'other' });
  await work();
  expect(server.received).toEqual([]);
  await add(workspace, 'c');
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

test('gathered for a user, mail is of all documents', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, passTime } = await startMail(server);
  await config(workspace, { batchConfig: { user: { isEnabled: true } } });
  await add(workspace, 'a');
  await add(workspace, 'b', { documentId: 'other' });
  await work();
  expect(subjectsOf(server)).toEqual(['sam@example.com 2 new notifications']);
  await passTime();
  await work();
  expect(server.received).toHaveLength(1);
});

test('a refusal for now is tried again later, one for good is not', async () => {
  await using server = await startSmtpFake({
    refuse: (to, tries) => (to.startsWith('never') ? 550 : tries < 3 ? 451 : undefined),
  });
  const { workspace, enqueued, work, passTime, states } = await startMail(server);
  const notifyUsers = ['later', 'never'].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await add(workspace, 'n', { notifyUsers });
  await work();
  expect(await states()).toEqual(['n later pending', 'n never failed']);
  expect(enqueued.at(-1)!.runAt).toBeGreaterThan(Date.now() + 10_000);
  for (let round = 0; round < 2; round++) {
    await work();
    await passTime();
    await work();
  }
  expect(await states()).toEqual(['n later sent', 'n never failed']);
  expect(server.received.map(({ to }) => to)).toEqual([['later@example.com']]);
});

test('a dead server is not asked about every mail, and each mail is given up in the end', async () => {
  let asked = 0;
  await using server = await startSmtpFake({
    hold(_answer, fake) {
      asked += 1;
      fake.dropConnections();
    },
  });
  const { workspace, work, passTime, states } = await startMail(server);
  const notifyUsers = ['a', 'b'].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await add(workspace, 'n', { notifyUsers });
  await work();
  expect(asked).toBe(1);
  for (let round = 0; round < 30 && (await states()).some((state) => state.endsWith('pending')); round++) {
    await passTime();
    await work();
  }
  expect(await states()).toEqual(['n a failed', 'n b failed']);
  expect(asked).toBe(16);
});

test('mail that somebody died over is sent by the next, under the same Message-ID', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, states } = await startMail(server);
  await add(workspace, 'n');
  const { deps } = await testApp();
  await work();
  // As if the process had fallen between the sending and the note of it.
  const mine = deps.db.updateTable('notificationEmails').where('apiKeyId', '=', workspace.apiKeyId);
  await mine.set({ status: 'pending', claimedUntil: Date.now() + 60_000 }).execute();
  await work();
  expect(server.received).toHaveLength(1);
  await mine.set({ claimedUntil: 1 }).execute();
  await work();
  expect(await states()).toEqual(['n sam sent']);
  const idOf = (raw: string) => /^Message-ID: (.*)$/im.exec(raw)?.[1];
  const [first, second] = server.received.map(({ raw }) => idOf(raw));
  expect(first).toMatch(/^<notification-\w+@example.com>/);
  expect(second).toBe(first);
});

test('two workers at once send each mail once', async () => {
  await using server = await startSmtpFake();
  const { workspace, work, relay, states } = await startMail(server);
  const notifyUsers = Array.from({ length: 20 }, (_, index) => ({
    userId: `u${index}`,
    email: `u${index}@example.com`,
  }));
  await add(workspace, 'n', { notifyUsers });
  await relay();
  await Promise.all([work(), work()]);
  expect((await states()).every((state) => state.endsWith('sent'))).toBe(true);
  expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(20);
  expect(server.received).toHaveLength(20);
});

test.each([
  ['mail is off', { useEmailService: false }, {}],
  ['the address is none', {}, { notifyUsers: [{ userId: 'sam', email: 'a@x.org, b@x.org' }] }],
  ['the provider lacks a key', { emailServiceConfig: { type: 'sendgrid', triggers: {} } }, {}],
])('nothing is sent where %s', async (_, emailConfig, data) => {
  await using server = await startSmtpFake();
  const { workspace, work, states } = await startMail(server, emailConfig);
  await add(workspace, 'n', data);
  await work();
  expect(server.received).toEqual([]);
  expect((await states()).every((state) => state === 'n sam failed')).toBe(true);
});
