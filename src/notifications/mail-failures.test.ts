import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startSmtpFake } from '../../test/fakes/smtp-server.ts';
import { addNotification, startMail } from '../../test/messages/mail-stage.ts';
import { expectLog } from '../../test/run/log-watch.ts';
import { testApp } from '../../test/service/harness.ts';

test('a temporary refusal is retried, and a permanent one is final', async () => {
  await using server = await startSmtpFake({
    refuse: (to, tries) => (to.startsWith('never') ? 550 : tries < 3 ? 451 : undefined),
  });
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  using stage = await startMail(server, {}, log);
  const { workspace, enqueued, work, passTime, states } = stage;
  const notifyUsers = ['later', 'never'].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await addNotification(workspace, 'n', { notifyUsers });
  await work();
  expect(await states()).toEqual(['n later pending', 'n never failed']);
  expect(lines.map(({ level, msg }) => `${level} ${msg}`).toSorted()).toEqual([
    '40 mail failed on its last attempt',
    '40 mail is delayed',
  ]);
  expect(JSON.stringify(lines)).not.toContain('later@example.com');
  expect(enqueued.at(-1)!.runAt).toBeGreaterThan(Date.now() + 10_000);
  for (let round = 0; round < 2; round++) {
    await work();
    await passTime();
    await work();
  }
  expect(await states()).toEqual(['n later sent', 'n never failed']);
  expect(server.received.map(({ to }) => to)).toEqual([['later@example.com']]);
});

test('a dead mail server is not tried for every mail, and each mail is given up in the end', async () => {
  expectLog(/mail failed on its last attempt/);
  let attempts = 0;
  await using server = await startSmtpFake({
    hold(_answer, fake) {
      attempts += 1;
      fake.dropConnections();
    },
  });
  using stage = await startMail(server);
  const { workspace, work, passTime, states } = stage;
  const notifyUsers = ['a', 'b'].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await addNotification(workspace, 'n', { notifyUsers });
  await work();
  expect(attempts).toBe(1);
  for (let round = 0; round < 30 && (await states()).some((state) => state.endsWith('pending')); round++) {
    await passTime();
    await work();
  }
  expect(await states()).toEqual(['n a failed', 'n b failed']);
  expect(attempts).toBe(16);
});

test('a mail whose sender died is sent again with the same Message-ID', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, work, states } = stage;
  await addNotification(workspace, 'n');
  const { deps } = await testApp();
  await work();
  // As if the process had crashed between sending the mail and recording it.
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

test('two concurrent workers send each mail once', async () => {
  await using server = await startSmtpFake();
  using stage = await startMail(server);
  const { workspace, work, relay, states } = stage;
  const notifyUsers = Array.from({ length: 20 }, (_, index) => ({
    userId: `u${index}`,
    email: `u${index}@example.com`,
  }));
  await addNotification(workspace, 'n', { notifyUsers });
  await relay();
  await Promise.all([work(), work()]);
  expect((await states()).every((state) => state.endsWith('sent'))).toBe(true);
  expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(20);
  expect(server.received).toHaveLength(20);
});
