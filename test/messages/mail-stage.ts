import type { Logger } from 'pino';
import { relayBatch } from '../../src/events/outbox-relay.ts';
import type { JobPayload } from '../../src/jobs/job.ts';
import type { Jobs } from '../../src/jobs/queue.ts';
import { notifyOfComments } from '../../src/notifications/notify-of-comments.ts';
import { queueNotificationMails } from '../../src/notifications/queue-mails.ts';
import { sendMails } from '../../src/notifications/send-mails.ts';
import { createMail } from '../../src/outside/mail/create-mail.ts';
import type { SmtpFake } from '../fakes/smtp-server.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

type Ref = JobPayload<'notification.email'>;

/** A workspace whose mail is sent to `server`; its mail jobs run when the test calls `work`. */
export async function startMail(server: SmtpFake, config: object = {}, ownLog?: Logger) {
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
    timeoutMs: 60_000,
  });
  const { db, keyring } = deps;
  const log = ownLog ?? deps.log;
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
  /** Makes all pending mails due. */
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
  return {
    workspace,
    enqueued,
    relay,
    work,
    passTime,
    states,
    [Symbol.dispose]: () => mail.close(),
  };
}

export const addNotification = (workspace: TestWorkspace, notificationId: string, data: object = {}) =>
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
export const setConfig = (workspace: TestWorkspace, notificationServiceConfig: object) =>
  workspace.must('/v2/workspace/notificationconfig/update', { notificationServiceConfig });
export const subjectsOf = (server: SmtpFake) =>
  server.received.map(({ to, raw }) => `${to} ${/^Subject: (.*)$/m.exec(raw)?.[1]?.trim()}`);
