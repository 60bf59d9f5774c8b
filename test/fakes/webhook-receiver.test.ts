import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { newKeyPair } from './webhook-body.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;

async function newReceiver(options?: Parameters<typeof startWebhookReceiver>[0]) {
  const started = await startWebhookReceiver(options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

function signed(body: string, { id = 'msg_1', secret = SECRET } = {}): RequestInit {
  const at = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { method: 'POST', headers, body };
}

test('a message is kept unchanged, and has no fault if its signature is right', async () => {
  const receiver = await newReceiver();
  receiver.expectSignature('/a', SECRET);
  const response = await fetch(receiver.url('/a'), signed('{"x": 1}'));
  expect(response.status).toBe(200);
  expect(receiver.at('/a')).toMatchObject([{ id: 'msg_1', text: '{"x": 1}' }]);
  expect(receiver.at('/a')[0]!.raw.toString()).toBe('{"x": 1}');
  expect(receiver.faults()).toEqual([]);
});

test('a changed byte, another secret, a missing signature and an invalid message are faults', async () => {
  const receiver = await newReceiver({
    validate: (message) => ((message as { bad?: true }).bad ? 'bad' : undefined),
  });
  receiver.expectSignature('/a', SECRET);
  await fetch(receiver.url('/a'), { ...signed('{"x":1}'), body: '{"x":2}' });
  await fetch(receiver.url('/a'), signed('{}', { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }));
  await fetch(receiver.url('/a'), { method: 'POST', body: '{}' });
  await fetch(receiver.url('/a'), signed('{"bad":true}'));
  await fetch(receiver.url('/a'), signed('no JSON'));
  expect(receiver.faults()).toHaveLength(5);
});

test('an encrypted and encoded body is opened', async () => {
  const { privateKey, publicKey } = newKeyPair();
  const receiver = await newReceiver({ privateKey });
  const [key, iv] = [randomBytes(32), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const encrypted = JSON.stringify({
    encryptedData: Buffer.concat([cipher.update('{"x":1}'), cipher.final()]).toString('base64'),
    encryptedKey: publicEncrypt(
      {
        key: `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----`,
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
      },
      key,
    ).toString('base64'),
    iv: iv.toString('base64'),
  });
  const body = JSON.stringify({ encodedPayload: Buffer.from(encrypted).toString('base64') });
  await fetch(receiver.url('/a'), signed(body));
  expect(receiver.faults()).toEqual([]);
  expect(receiver.received.map(({ text }) => text)).toEqual(['{"x":1}']);
});

test('answers follow the script of a path, then its final answer', async () => {
  const receiver = await newReceiver();
  receiver.answer('/a', [{ status: 500 }, { status: 429, headers: { 'retry-after': '3' } }], { status: 410 });
  const post = (path: string) => fetch(receiver.url(path), { method: 'POST', body: '{}' });
  const answers = [await post('/a'), await post('/a'), await post('/a'), await post('/a'), await post('/b')];
  expect(answers.map(({ status }) => status)).toEqual([500, 429, 410, 410, 200]);
  expect(answers[1]!.headers.get('retry-after')).toBe('3');
});

test('a receiver can hang, reset, close in the middle, drip and flood', async () => {
  const receiver = await newReceiver();
  receiver.answer('/a', ['reset', 'close', 'flood', 'drip', 'hang']);
  const post = (signal?: AbortSignal) =>
    fetch(receiver.url('/a'), { method: 'POST', body: '{}', ...(signal && { signal }) });
  await expect(post()).rejects.toThrow();
  await expect(post().then((response) => response.text())).rejects.toThrow();
  expect((await (await post()).bytes()).length).toBe(10 * 1_024 * 1_024);
  const dripping = (await post()).body!.getReader();
  expect((await dripping.read()).value).toEqual(new TextEncoder().encode('.'));
  await dripping.cancel();
  await expect.poll(() => receiver.open('/a')).toBe(0);
  const leaving = new AbortController();
  const hanging = post(leaving.signal).catch(() => 'left');
  await expect.poll(() => receiver.open('/a')).toBe(1);
  leaving.abort();
  expect(await hanging).toBe('left');
  await expect.poll(() => receiver.open('/a')).toBe(0);
});
