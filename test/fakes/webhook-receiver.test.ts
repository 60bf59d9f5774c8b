import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { newKeyPair } from './webhook-body.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;

async function receiver(options?: Parameters<typeof startWebhookReceiver>[0]) {
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

test('a message is kept as it came, and nothing is said against it where its signature is right', async () => {
  const one = await receiver();
  one.expectSignature('/a', SECRET);
  const response = await fetch(one.url('/a'), signed('{"x": 1}'));
  expect(response.status).toBe(200);
  expect(one.at('/a')).toMatchObject([{ id: 'msg_1', text: '{"x": 1}' }]);
  expect(one.at('/a')[0]!.raw.toString()).toBe('{"x": 1}');
  expect(one.faults()).toEqual([]);
});

test('a changed byte, another secret, no signature and a message that does not validate are faults', async () => {
  const one = await receiver({
    validate: (message) => ((message as { bad?: true }).bad ? 'bad' : undefined),
  });
  one.expectSignature('/a', SECRET);
  await fetch(one.url('/a'), { ...signed('{"x":1}'), body: '{"x":2}' });
  await fetch(one.url('/a'), signed('{}', { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }));
  await fetch(one.url('/a'), { method: 'POST', body: '{}' });
  await fetch(one.url('/a'), signed('{"bad":true}'));
  await fetch(one.url('/a'), signed('no JSON'));
  expect(one.faults()).toHaveLength(5);
});

test('a body that is encrypted and encoded is opened', async () => {
  const { privateKey, publicKey } = newKeyPair();
  const one = await receiver({ privateKey });
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
  await fetch(one.url('/a'), signed(body));
  expect(one.faults()).toEqual([]);
  expect(one.received.map(({ text }) => text)).toEqual(['{"x":1}']);
});

test('answers follow the script of a path, and then go on as said', async () => {
  const one = await receiver();
  one.answer('/a', [{ status: 500 }, { status: 429, headers: { 'retry-after': '3' } }], { status: 410 });
  const post = (path: string) => fetch(one.url(path), { method: 'POST', body: '{}' });
  const answers = [await post('/a'), await post('/a'), await post('/a'), await post('/a'), await post('/b')];
  expect(answers.map(({ status }) => status)).toEqual([500, 429, 410, 410, 200]);
  expect(answers[1]!.headers.get('retry-after')).toBe('3');
});

test('a receiver can hang, reset, close in the middle, drip and flood', async () => {
  const one = await receiver();
  one.answer('/a', ['reset', 'close', 'flood', 'drip', 'hang']);
  const post = (signal?: AbortSignal) =>
    fetch(one.url('/a'), { method: 'POST', body: '{}', ...(signal && { signal }) });
  await expect(post()).rejects.toThrow();
  await expect(post().then((response) => response.text())).rejects.toThrow();
  expect((await (await post()).bytes()).length).toBe(10 * 1_024 * 1_024);
  const dripping = (await post()).body!.getReader();
  expect((await dripping.read()).value).toEqual(new TextEncoder().encode('.'));
  await dripping.cancel();
  await expect.poll(() => one.open('/a')).toBe(0);
  const leaving = new AbortController();
  const hanging = post(leaving.signal).catch(() => 'left');
  await expect.poll(() => one.open('/a')).toBe(1);
  leaving.abort();
  expect(await hanging).toBe('left');
  await expect.poll(() => one.open('/a')).toBe(0);
});
