import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { signedHeaders } from './sign-webhook.ts';

type Headers = Record<string, string>;

/** The two clients that receivers are likely to use. */
const clients = { standardwebhooks: StandardWebhook, svix: SvixWebhook };
const secretOf = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`;
const SECRET = secretOf(3);

function accepts(client: keyof typeof clients, secret: string, body: string | Buffer, headers: Headers) {
  try {
    new clients[client](secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
const acceptedBy = (secret: string, body: string | Buffer, headers: Headers) =>
  (Object.keys(clients) as (keyof typeof clients)[]).filter((client) =>
    accepts(client, secret, body, headers),
  );
const BOTH = ['standardwebhooks', 'svix'];

test('a known message has the known signature', () => {
  expect(
    signedHeaders({
      messageId: 'msg_loFOjxBNrRLzqYUf',
      at: 1_731_705_121_999,
      body: '{"event_type":"ping","data":{"success":true}}',
      secrets: ['whsec_plJ3nmyCDGBKInavdOK15jsl'],
    }),
  ).toEqual({
    'webhook-id': 'msg_loFOjxBNrRLzqYUf',
    'webhook-timestamp': '1731705121',
    'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  });
});

test('both client libraries accept any JSON as it was signed', () => {
  fc.assert(
    fc.property(fc.json(), fc.stringMatching(/^evt_[A-Za-z0-9]{20}$/), (body, messageId) => {
      const headers = signedHeaders({ messageId, at: Date.now(), body, secrets: [SECRET] });
      expect(acceptedBy(SECRET, body, headers)).toEqual(BOTH);
    }),
    { examples: [['{"text":"Grüße 👋, \u2028 日本"}', 'evt_ABCDEFGHJKMNPQRSTVWX']] },
  );
});

const flip = (bytes: Buffer, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const at = bit % (bytes.length * 8);
  changed[at >> 3]! ^= 1 << (at & 7);
  return changed;
};

test('both client libraries refuse a body, id, time or signature with one flipped bit', () => {
  const body = '{"event":"comment.add","data":{"text":"Grüße"}}';
  const fields = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  fc.assert(
    fc.property(fc.constantFrom('body', ...fields), fc.nat(), (where, bit) => {
      const headers = signedHeaders({
        messageId: 'evt_ABCDEFGHJKMNPQRSTVWX',
        at: Date.now(),
        body,
        secrets: [SECRET],
      });
      const isBody = where === 'body';
      const changed = flip(Buffer.from(isBody ? body : headers[where]!, isBody ? 'utf8' : 'latin1'), bit);
      const sent = isBody ? changed : body;
      const sentHeaders = isBody ? headers : { ...headers, [where]: changed.toString('latin1') };
      expect(acceptedBy(SECRET, sent, sentHeaders)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('during a rotation both secrets verify, and no other', () => {
  const body = '{}';
  const secrets = [secretOf(1), secretOf(2)];
  const headers = signedHeaders({ messageId: 'evt_1', at: Date.now(), body, secrets });
  expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  for (const secret of secrets) expect(acceptedBy(secret, body, headers)).toEqual(BOTH);
  expect(acceptedBy(secretOf(3), body, headers)).toEqual([]);
});

test('both client libraries refuse a message that is minutes old', () => {
  const at = Date.now() - 6 * 60_000;
  const headers = signedHeaders({ messageId: 'evt_1', at, body: '{}', secrets: [SECRET] });
  expect(acceptedBy(SECRET, '{}', headers)).toEqual([]);
});

test('without a secret there are an id and a time, and no signature', () => {
  const headers = signedHeaders({ messageId: 'evt_1', at: 1_999, body: '{}', secrets: [] });
  expect(headers).toEqual({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1' });
});

test('signing with a malformed secret throws', () => {
  for (const secret of ['', 'whsec_', SECRET.slice(6), 'whsec_no base64']) {
    expect(() => signedHeaders({ messageId: 'evt_1', at: 0, body: '{}', secrets: [secret] })).toThrow();
  }
});
