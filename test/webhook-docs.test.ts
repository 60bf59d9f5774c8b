import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../examples/webhooks/receiver.ts';
import { verify } from '../examples/webhooks/verify.ts';
import { verifyWithLibrary } from '../examples/webhooks/verify-with-library.ts';
import { webhookEvents } from '../src/webhooks/catalog/webhook-catalog.ts';
import { webhookMetrics } from '../src/webhooks/deliver/delivery-metrics.ts';
import { RETRY_STEPS_MS } from '../src/webhooks/deliver/retry-schedule.ts';
import { signedHeaders } from '../src/webhooks/deliver/sign-webhook.ts';
import { newWorkspace } from './service/harness.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const docs = read('docs/webhooks.md');

test('the code in docs/webhooks.md is that of the examples', () => {
  const blocks = [...docs.matchAll(/<!-- (\S+) -->\n```ts\n(.*?)```/gs)];
  for (const [, path, code] of blocks) expect(code, path).toBe(read(path!));
  const shown = blocks.map(([, path]) => path!.split('/').at(-1));
  const ofExamples = readdirSync(join(root, 'examples/webhooks')).filter((name) => name !== 'main.ts');
  expect(shown.sort()).toEqual(ofExamples.sort());
  expect(docs.match(/```ts/g)).toHaveLength(blocks.length);
});

test('the names and numbers in docs/webhooks.md are those of the service', () => {
  const names = docs.matchAll(/`((?:comment|comment_annotation|message|endpoint)\.[a-z_.]+)`/g);
  for (const [, name] of names) expect(Object.keys(webhookEvents)).toContain(name);
  for (const metric of webhookMetrics) {
    const { name } = metric as unknown as { name: string };
    if (name !== 'redpen_webhook_endpoints_active') expect(docs).toContain(`\`${name}\``);
  }
  const unit = { second: 1_000, minute: 60_000, hour: 3_600_000 };
  const waits = [...docs.matchAll(/^\| \d \| (\d+) (second|minute|hour)s \|$/gm)];
  expect(waits.map(([, count, name]) => Number(count) * unit[name as keyof typeof unit])).toEqual([
    ...RETRY_STEPS_MS,
  ]);
});

test('the table of contents of docs/webhooks.md lists its headings', () => {
  const headings = [...docs.matchAll(/^## (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replace(/[^\w ]/g, '')
      .replaceAll(' ', '-'),
  );
  expect([...docs.matchAll(/\]\(#(.+?)\)/g)].map(([, anchor]) => anchor)).toEqual(headings);
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = {
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  pkcs8: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  pkcs1: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
};

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints';

/** Starts the receiver of the docs with an endpoint for it; `kept` holds the messages that it has stored. */
async function stage(config: object, privateKey = pem.pkcs8) {
  const w = await newWorkspace();
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true, ...config });
  const { id: endpointId } = await w.must(`${ENDPOINTS}/create`, { url: 'https://example.com/' });
  const { secret } = await w.must(`${ENDPOINTS}/secret/get`, { endpointId });
  const kept = new Map<string, Record<string, unknown>>();
  const keep = async (id: string, message: Record<string, unknown>) => void kept.set(id, message);
  const url = await listen(createReceiver({ secret, privateKey, keep }));
  await w.must(`${ENDPOINTS}/update`, { endpointId, url });
  const send = (eventType: string) => w.must(`${ENDPOINTS}/test`, { endpointId, eventType });
  return { w, kept, endpointId: endpointId as string, secret: secret as string, url, send };
}

const encrypted = { encryptData: true, publicKey: pem.publicKey };
test.each([
  ['plain', {}],
  ['encoded', { encodeData: true }],
  ['encrypted', encrypted],
  ['encrypted and encoded', { ...encrypted, encodeData: true }],
])('the receiver of the docs accepts %s messages', async (_name, config) => {
  for (const privateKey of [pem.pkcs8, pem.pkcs1]) {
    const { kept, send } = await stage(config, privateKey);
    for (const event of ['comment.add', 'document.migrate'] as const) {
      const { delivered, webhookId } = await send(event);
      expect(delivered).toBe(true);
      expect(kept.get(webhookId)).toMatchObject({ event, webhookId, data: webhookEvents[event].sample });
    }
  }
});

test('during a secret rotation a receiver with the old secret accepts messages, and afterwards it does not', async () => {
  const { w, endpointId, send } = await stage({});
  const rotate = (gracePeriodSeconds: number) =>
    w.must(`${ENDPOINTS}/secret/rotate`, { endpointId, gracePeriodSeconds });
  await rotate(3_600);
  expect((await send('comment.add')).delivered).toBe(true);
  await rotate(0);
  const { delivered, attempt } = await send('comment.add');
  expect([delivered, attempt.status]).toEqual([false, 401]);
});

test('the receiver of the docs refuses unsigned messages, and answers 500 to messages that it cannot store', async () => {
  const { url, kept, secret } = await stage({});
  const post = (headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'POST', headers, body }).then(({ status }) => status);
  const signed = signedHeaders({ messageId: 'evt_1', at: Date.now(), body: '{"a":1}', secrets: [secret] });
  expect(await post({}, '{"a":1}')).toBe(401);
  expect(await post(signed, '{"a":2}')).toBe(401);
  expect(kept.size).toBe(0);
  expect(await post(signed, '{"a":1}')).toBe(204);
  const broken = await listen(
    createReceiver({ secret, keep: () => Promise.reject(new Error('The database is away.')) }),
  );
  const { error } = console;
  console.error = () => {};
  onTestFinished(() => {
    console.error = error;
  });
  const answer = await fetch(broken, { method: 'POST', headers: signed, body: '{"a":1}' });
  expect(answer.status).toBe(500);
});

test.each([
  ['plain Node', verify],
  ['the library', verifyWithLibrary],
])('%s verifies a message, and rejects it with a flipped bit or another time', (_name, check) => {
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  const text = '{"event":"comment.add"}';
  const body = Buffer.from(text);
  const headersAt = (at: number) => signedHeaders({ messageId: 'evt_1', at, body: text, secrets: [secret] });
  const headers = headersAt(Date.now());
  expect(() => check(secret, headers, body)).not.toThrow();
  for (let bit = 0; bit < body.length * 8; bit++) {
    const changed = Buffer.from(body);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => check(secret, headers, changed)).toThrow();
  }
  const signature = headers['webhook-signature']!;
  for (const change of [
    { 'webhook-id': 'evt_2' },
    { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
    { 'webhook-signature': signature.replace('v1', 'v2') },
    { 'webhook-signature': signature.slice(0, -4) },
    { 'webhook-signature': '' },
    headersAt(Date.now() - 6 * 60_000),
    headersAt(Date.now() + 6 * 60_000),
  ]) {
    expect(() => check(secret, { ...headers, ...change }, body)).toThrow();
  }
  expect(() => check(secret, {}, body)).toThrow();
  expect(() => check(`whsec_${Buffer.alloc(24, 4).toString('base64')}`, headers, body)).toThrow();
});
