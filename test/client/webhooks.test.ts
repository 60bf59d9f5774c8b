import { generateKeyPairSync } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import * as webhooks from '../../packages/client/src/webhooks.ts';
import { allEventTypes, describeEvent } from '../../src/webhooks/catalog/message-body.ts';
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/deliver/sign-webhook.ts';
import { newWebhookStage } from '../messages/webhook-stage.ts';

const ROOT = '/v2/workspace/advancedwebhook';
const id = 'evt_1';
const secret = newWebhookSecret();
const body = JSON.stringify(describeEvent('comment.add').sample);

const signed = (given: { at?: number; secrets?: string[]; text?: string } = {}) =>
  signedHeaders({
    messageId: id,
    at: given.at ?? Date.now(),
    body: given.text ?? body,
    secrets: given.secrets ?? [secret],
  });

test.each(allEventTypes)(
  'a message of %s that the service signed is returned with its type',
  async (event) => {
    const { sample } = describeEvent(event);
    const text = JSON.stringify(sample);
    expect(await webhooks.unwrap(text, signed({ text }), secret)).toEqual(sample);
  },
);

test.each(['standardwebhooks', 'svix'])(
  'what %s signs is accepted, and what it refuses is refused',
  async (name) => {
    const library = name === 'svix' ? new SvixWebhook(secret) : new StandardWebhook(secret);
    const at = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': library.sign(id, at, body),
    };
    expect(headers).toEqual(signed({ at: at.getTime() }));
    const minutes = (count: number) => Date.now() + count * 60_000;
    const cases: [Record<string, string>, string][] = [
      [headers, body],
      [headers, `${body} `],
      [{ ...headers, 'webhook-id': 'evt_2' }, body],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, body],
      [{ ...headers, 'webhook-signature': 'v1,AAAA' }, body],
      [{ ...headers, 'webhook-signature': `v1,%% ${headers['webhook-signature']}` }, body],
      [signed({ at: minutes(-4.9) }), body],
      [signed({ at: minutes(-5.1) }), body],
      [signed({ at: minutes(4.9) }), body],
      [signed({ at: minutes(5.1) }), body],
      [signed({ secrets: [newWebhookSecret(), secret] }), body],
      [signed({ secrets: [newWebhookSecret()] }), body],
    ];
    const theirs = cases.map(([given, text]) => {
      try {
        library.verify(text, given);
        return true;
      } catch {
        return false;
      }
    });
    const ours = await Promise.all(
      cases.map(([given, text]) =>
        webhooks.unwrap(text, given, secret).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(webhooks.WebhookError);
            return false;
          },
        ),
      ),
    );
    expect(ours).toEqual(theirs);
    expect(ours.filter(Boolean)).toHaveLength(5);
  },
);

test('bodies of bytes, headers of every form, and several secrets are accepted', async () => {
  const sample = describeEvent('comment.add').sample;
  const bytes = new TextEncoder().encode(body);
  const headers = signed();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const given of [headers, new Headers(headers), upper]) {
    expect(await webhooks.unwrap(bytes, given, [newWebhookSecret(), secret])).toEqual(sample);
  }
  await expect(webhooks.unwrap(body, {}, secret)).rejects.toThrow('too old');
  await expect(webhooks.unwrap(body, headers, 'whsec_')).rejects.toThrow('whsec_');
});

test.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])(
  'messages that the service sends with encodeData %s and encryptData %s are opened',
  async (encodeData, encryptData) => {
    await using stage = await newWebhookStage();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const settings = { encodeData, encryptData, publicKey };
    await stage.workspace.must('/v2/workspace/advancedwebhookconfig/update', settings);
    const endpointId = await stage.endpoint('/hook');
    const { secret } = await stage.workspace.must(`${ROOT}/endpoints/secret/get`, { endpointId });
    await stage.change('home');
    await expect.poll(() => stage.receiver.received.length).toBe(1);
    const { headers, raw: body } = stage.receiver.received[0]!;
    const message = await webhooks.unwrap(body, headers, secret, { privateKey });
    expect(message).toMatchObject({ event: 'document.update', data: { documentId: 'home' } });
    if (message.event === 'document.update') expect(message.data.disabled).toBe(false);
    if (encryptData)
      await expect(webhooks.unwrap(body, headers, secret)).rejects.toThrow('pass the privateKey');
  },
);
