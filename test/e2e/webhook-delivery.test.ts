import { createServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '../fakes/webhook-answers.ts';
import { newKeyPair, openBody } from '../fakes/webhook-body.ts';
import { type Reception, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { newTenant, type Tenant } from '../messages/webhook-tenant.ts';
import { atEnd } from '../run/at-end.ts';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import type { Service } from '../service/service.ts';
import { sharedService } from '../service/worker-service.ts';

const { privateKey, publicKey } = newKeyPair();
let service: Service;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver({ privateKey });
  atEnd(() => receiver[Symbol.asyncDispose]());
  service = await sharedService();
});

const CONFIG = '/v2/workspace/advancedwebhookconfig/update';

/** A workspace whose webhooks end with the test, so that no more attempts are made. */
async function ownTenant(): Promise<Tenant> {
  const tenant = await newTenant(() => service);
  atEnd(() => tenant.must(CONFIG, { isEnabled: false }));
  return tenant;
}

/** A port on which no process listens. */
const deadPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const addDocuments = ({ must }: Tenant, name: string, count: number) =>
  must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: Array.from({ length: count }, (_, index) => ({
      documentId: `${name}-${index}`,
      documentName: 'N',
    })),
  });

const receivedCount = (path: string) => new Set(receiver.at(path).map(({ id }) => id)).size;

const EVENTS = 100;

test('of ten endpoints one is dead and one never answers, and the other eight receive every event meanwhile', {
  timeout: 900_000,
}, async () => {
  expectLog(/webhook endpoint begins to fail/);
  const tenant = await ownTenant();
  const healthy = Array.from({ length: 8 }, (_, index) => `/good-${index}`);
  for (const path of healthy) await tenant.endpoint(receiver, path);
  const endpoints = '/v2/workspace/advancedwebhook/endpoints';
  const dead = `http://127.0.0.1:${await deadPort()}/revived`;
  const { id: endpointId } = await tenant.must(`${endpoints}/create`, { url: dead });
  const { secret } = await tenant.must(`${endpoints}/secret/get`, { endpointId });
  receiver.expectSignature('/revived', secret);
  const slow = await tenant.endpoint(receiver, '/slow');
  receiver.answer('/slow', [], 'hang');
  // One call after the other, so that the two bad endpoints fail repeatedly while the others receive events.
  for (let turn = 0; turn < 10; turn++) await addDocuments(tenant, `turn-${turn}`, EVENTS / 10);

  await expect
    .poll(() => healthy.map(receivedCount), { timeout: 300_000 })
    .toEqual(healthy.map(() => EVENTS));
  expect(receiver.open('/slow')).toBeGreaterThan(0);
  expect(receivedCount('/slow')).toBeLessThan(EVENTS);

  // What the dead endpoint missed is not lost: once it works, a replay sends all of it.
  await tenant.must(`${endpoints}/update`, { endpointId, disabled: true });
  await tenant.must(`${endpoints}/update`, { endpointId, disabled: false, url: receiver.url('/revived') });
  const { replayed } = await tenant.must('/v2/workspace/advancedwebhook/deliveries/replay', {
    endpointId,
    since: 0,
  });
  expect(replayed).toBe(EVENTS);
  await expect.poll(() => receivedCount('/revived'), { timeout: 300_000 }).toBe(EVENTS);
  const ids = (path: string) => receiver.at(path).map(({ id }) => id);
  expect(new Set(ids('/revived'))).toEqual(new Set(ids('/good-0')));
  expect(receiver.faults()).toEqual([]);

  // The service logs the failure in this test, and not in a later one.
  receiver.hangUp('/slow');
  const failure = new RegExp(`"${slow}".*begins to fail`);
  await until(() => failure.test(service.output()), 'the failure of the slow endpoint');
});

test('a receiver that fails in any way gets the same message again, and a redirect is not followed', {
  timeout: 900_000,
}, async () => {
  expectLog(/webhook endpoint begins to fail/);
  const tenant = await ownTenant();
  const answers: Record<string, Answer> = {
    '/refuses': { status: 500, body: 'no' },
    '/redirects': { status: 307, headers: { location: receiver.url('/elsewhere') } },
    '/resets': 'reset',
    '/closes': 'close',
    '/floods': 'flood',
    '/busy': { status: 429, headers: { 'retry-after': '1' } },
  };
  for (const [path, answer] of Object.entries(answers)) {
    await tenant.endpoint(receiver, path);
    receiver.answer(path, [answer]);
  }
  await addDocuments(tenant, 'once', 1);
  for (const path of Object.keys(answers)) {
    // A long answer is cut off, but still counts as a success.
    const times = path === '/floods' ? 1 : 2;
    await expect.poll(() => receiver.at(path).length, { timeout: 300_000 }).toBe(times);
    const [first, second = first] = receiver.at(path);
    expect(second!.id).toBe(first!.id);
    expect(second!.raw).toEqual(first!.raw);
  }
  expect(receiver.at('/elsewhere')).toEqual([]);
  expect(receiver.faults()).toEqual([]);
});

test('a message is the same in every format, and its signature covers the sent bytes', async () => {
  const tenant = await ownTenant();
  const formats = {
    plain: { encodeData: false, encryptData: false },
    encoded: { encodeData: true, encryptData: false },
    encrypted: { encodeData: false, encryptData: true },
    both: { encodeData: true, encryptData: true },
  };
  const fields: Record<string, unknown> = {};
  for (const [name, format] of Object.entries(formats)) {
    await tenant.endpoint(receiver, `/${name}`);
    await tenant.must(CONFIG, { ...format, publicKey });
    await addDocuments(tenant, name, 1);
    await expect.poll(() => receivedCount(`/${name}`), { timeout: 300_000 }).toBe(1);
    const [{ raw, text, id }] = receiver.at(`/${name}`) as [Reception];
    expect(JSON.parse(text)).toMatchObject({
      event: 'document.add',
      webhookId: id,
      data: { documentId: `${name}-0` },
    });
    fields[name] = Object.keys(JSON.parse(raw.toString('utf8'))).sort();
  }
  expect(fields).toEqual({
    plain: fields.plain,
    encoded: ['encodedPayload'],
    encrypted: ['encryptedData', 'encryptedKey', 'iv'],
    both: ['encodedPayload'],
  });
  expect(fields.plain).toContain('data');
  // Without the key, an encrypted body cannot be opened.
  const [{ raw }] = receiver.at('/both') as [Reception];
  expect(() => openBody(raw.toString('utf8'))).toThrow('encrypted');
  expect(receiver.faults()).toEqual([]);
});
