import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { expect, test } from 'vitest';
import { wrapBody } from './format-body.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const JSON_TEXT = JSON.stringify({ event: 'comment.add', data: { text: 'Grüße 👋' } });
const plain = { encodeData: false, encryptData: false };

interface Encrypted {
  encryptedData: string;
  encryptedKey: string;
  iv: string;
}

const keyOf = ({ encryptedKey }: Encrypted): Buffer =>
  privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(encryptedKey, 'base64'),
  );

function decrypt(body: Encrypted): string {
  const decipher = createDecipheriv('aes-256-cbc', keyOf(body), Buffer.from(body.iv, 'base64'));
  const text = Buffer.concat([decipher.update(body.encryptedData, 'base64'), decipher.final()]);
  return text.toString('utf8');
}

const decoded = (body: string): string =>
  Buffer.from((JSON.parse(body) as { encodedPayload: string }).encodedPayload, 'base64').toString('utf8');

test('a plain body is the JSON itself, whether or not there is a key', () => {
  expect(wrapBody(JSON_TEXT, plain, undefined)).toBe(JSON_TEXT);
  expect(wrapBody(JSON_TEXT, plain, publicKey)).toBe(JSON_TEXT);
});

test('an encoded body holds the base64 of the JSON and nothing else', () => {
  const body = wrapBody(JSON_TEXT, { ...plain, encodeData: true }, undefined);
  expect(Object.keys(JSON.parse(body))).toEqual(['encodedPayload']);
  expect(decoded(body)).toBe(JSON_TEXT);
});

test('an encrypted body can be decrypted with the private key', () => {
  const body = JSON.parse(wrapBody(JSON_TEXT, { ...plain, encryptData: true }, publicKey)) as Encrypted;
  expect(Object.keys(body)).toEqual(['encryptedData', 'encryptedKey', 'iv']);
  expect(keyOf(body)).toHaveLength(32);
  expect(Buffer.from(body.iv, 'base64')).toHaveLength(16);
  expect(decrypt(body)).toBe(JSON_TEXT);
});

test('with both, the body is encrypted first and encoded then', () => {
  const body = wrapBody(JSON_TEXT, { encodeData: true, encryptData: true }, publicKey);
  expect(decrypt(JSON.parse(decoded(body)) as Encrypted)).toBe(JSON_TEXT);
});

test('an empty body and one of a megabyte survive a round trip', () => {
  for (const json of ['', JSON.stringify('ß'.repeat(500_000))]) {
    const body = wrapBody(json, { ...plain, encryptData: true }, publicKey);
    expect(decrypt(JSON.parse(body) as Encrypted)).toBe(json);
  }
});

test('a body that must be encrypted is not sent without a key', () => {
  for (const encodeData of [false, true]) {
    expect(() => wrapBody(JSON_TEXT, { encodeData, encryptData: true }, undefined)).toThrow(/public key/);
  }
});

test('no two of 10,000 messages share a key or an IV', () => {
  // A small key, since many messages are encrypted and decrypted.
  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const keys = new Set<string>();
  const ivs = new Set<string>();
  for (let count = 0; count < 10_000; count++) {
    const wrapped = wrapBody('{}', { ...plain, encryptData: true }, small.publicKey);
    const { encryptedKey, iv } = JSON.parse(wrapped) as Encrypted;
    const key = privateDecrypt(
      { key: small.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(encryptedKey, 'base64'),
    );
    keys.add(key.toString('hex'));
    ivs.add(iv);
  }
  expect([keys.size, ivs.size]).toEqual([10_000, 10_000]);
});
