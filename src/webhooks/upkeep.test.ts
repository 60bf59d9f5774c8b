import { expect, test } from 'vitest';
import { startSmtpFake } from '../../test/fakes/smtp-server.ts';
import { newWebhookStage } from '../../test/messages/webhook-stage.ts';
import { expectLog } from '../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../test/service/harness.ts';
import { createMail } from '../outside/mail/create-mail.ts';
import { oldDeliveries } from '../store/retention/old-rows.ts';
import { longestUnattendedMs, oldestUndeliveredMs } from '../store/webhooks/endpoint-health.ts';
import { mailOwner } from './deliver/mail-owner.ts';

const soon = { timeout: 300_000, interval: 20 };

async function mailing(smtpPort: number) {
  const { deps } = await testApp();
  const warned: unknown[] = [];
  const mail = createMail({
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    from: 'redpen@example.com',
    fetch: deps.outside.fetch,
    sendgridUrl: 'http://127.0.0.1:9',
    timeoutMs: 60_000,
  });
  const log = { warn: (where: unknown) => warned.push(where) } as unknown as typeof deps.log;
  return {
    warned,
    deps: { db: deps.db, log, mail, mailTransportOf: async () => ({ type: 'smtp' as const }) },
  };
}

test.each([
  ['50', 'is failing', '50 % of the five days'],
  ['90', 'is failing', '90 % of the five days'],
  ['failing', 'disabled', 'received nothing for five days'],
  ['gone', 'disabled', 'answered 410'],
] as const)(
  'at %s the owner gets a mail that says what to do, without addresses that contain secrets',
  async (notice, subject, words) => {
    await using server = await startSmtpFake();
    await using stage = await newWebhookStage();
    const endpointId = await stage.endpoint('/hook?key=canary');
    const { deps, warned } = await mailing(server.port);
    await mailOwner(deps, { ...stage.workspace, endpointId, notice, at: 1 });
    await expect.poll(() => server.received, soon).toHaveLength(1);
    const [letter] = server.received;
    const raw = letter!.raw.replaceAll('=\r\n', '');
    expect(letter!.to).toEqual([stage.workspace.email]);
    expect(raw).toMatch(new RegExp(`Subject: Webhook endpoint at 127.0.0.1:\\d+\\s+${subject}`));
    expect(raw).toContain(endpointId);
    expect(raw.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(raw).not.toContain('canary');
    expect(warned).toEqual([]);
  },
);

test('mail that failed temporarily is retried, and no mail is sent about a deleted endpoint', async () => {
  await using server = await startSmtpFake();
  const { port } = server;
  await server[Symbol.asyncDispose]();
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/hook');
  const { deps, warned } = await mailing(port);
  const notice = { ...stage.workspace, endpointId, notice: 'gone', at: 1 } as const;
  await expect(mailOwner(deps, notice)).rejects.toThrow();
  expect(warned).toMatchObject([{ endpointId, notice: 'gone' }]);
  await mailOwner(deps, { ...notice, endpointId: 'ep_gone' });
  await mailOwner({ ...deps, mailTransportOf: async () => undefined }, notice);
  expect(warned).toHaveLength(2);
});

test('old messages are removed with their deliveries', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/kept');
  await stage.change('old', 'young');
  const delivered = async () =>
    (await stage.deliveries(endpointId)).filter(({ status }) => status === 'delivered');
  await expect.poll(delivered, soon).toHaveLength(2);
  const [old, young] = await delivered();
  const age = (messageId: string, createdAt: number) =>
    deps.db
      .updateTable('webhookMessages')
      .set({ createdAt })
      .where('apiKeyId', '=', stage.workspace.apiKeyId)
      .where('messageId', '=', messageId)
      .execute();
  const before = Date.now() - 90 * 86_400_000;
  await age(old.messageId, before - 1);
  await age(young.messageId, before + 1);
  await oldDeliveries.remove(deps.db, before, new AbortController().signal);
  expect(await delivered()).toMatchObject([{ messageId: young.messageId }]);
});

test('the age of the oldest waiting delivery can be read', async () => {
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/waits');
  stage.receiver.answer('/waits', [], { status: 500 });
  await stage.change('d1');
  await expect.poll(async () => (await stage.deliveries(endpointId))[0]?.tries, soon).toBe(1);
  await deps.db
    .updateTable('webhookDeliveries')
    .set({ createdAt: Date.now() - 100 * 3_600_000 })
    .where('endpointId', '=', endpointId)
    .execute();
  expect(await oldestUndeliveredMs(deps.db)).toBeGreaterThanOrEqual(100 * 3_600_000);
});

test('due lanes without a lease can be seen, unless they are paused', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const { id: endpointId } = await workspace.must('/v2/workspace/advancedwebhook/endpoints/create', {
    url: 'http://127.0.0.1:9/',
  });
  const lane = (at: { nextAt: number; pausedUntil: number | null }) =>
    deps.db.updateTable('webhookLanes').set(at).where('endpointId', '=', endpointId).execute();
  const long = 1_000 * 3_600_000;
  const due = Date.now() - long;
  await lane({ nextAt: due, pausedUntil: null });
  expect(await longestUnattendedMs(deps.db)).toBeGreaterThanOrEqual(long);
  await lane({ nextAt: due, pausedUntil: Date.now() + 60_000 });
  expect(await longestUnattendedMs(deps.db)).toBeLessThan(long);
  await lane({ nextAt: due, pausedUntil: null });
  await deps.db
    .insertInto('webhookLeases')
    .values({ apiKeyId: workspace.apiKeyId, endpointId, holder: 'somebody', until: Date.now() + 60_000 })
    .execute();
  expect(await longestUnattendedMs(deps.db)).toBeLessThan(long);
  await deps.db.deleteFrom('webhookEndpoints').where('endpointId', '=', endpointId).execute();
  expect(await longestUnattendedMs(deps.db)).toBeLessThan(long);
});
