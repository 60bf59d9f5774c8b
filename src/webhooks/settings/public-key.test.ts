import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPublicKey } from './public-key.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A certificate of a discarded key. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIC+zCCAeOgAwIBAgIUcE0rKnZCtWTaOZPmiu6IHRjCtg0wDQYJKoZIhvcNAQEL
BQAwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjExMDQ0NDNaGA8yMTI2MTAyODEwNDQ0
M1owDDEKMAgGA1UEAwwBeDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
AJf+S50416DCHAvhNOA4YCc5amjfxaeJ3JTNk97iSXic7BmfkDjn/+Hbvu4QmBeZ
bs1QjNYaGLwgVd/WHcUksB1UqQ40DTwU84QYvoOR/LNfA6JJ8cplm3fR+Nn3kvYe
FiagZfKwRADa638+OBT1LdlEiyHXvttXvq+9Qq0A86IxcMkoTBr0bIpQw+aG++6e
EN//ZqOBYPczU7+myUQqN6SColta2lWPMcGgzexyqa18zkkb4gk+nN/L89Wwamzw
6ni+VeNPX9xUDk1i/nUJtH051cMX38elHA57UIeAeQNB81Th8M7aNoSnk+OlbMdE
jM3YSrtP26/hN70FqjETTc0CAwEAAaNTMFEwHQYDVR0OBBYEFKt9I3cm6Y3dr5DW
Vrz+/eNgmpJvMB8GA1UdIwQYMBaAFKt9I3cm6Y3dr5DWVrz+/eNgmpJvMA8GA1Ud
EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAGYBuOYOoob1mT4PjEnZYgDX
2JH/qZ0PPe19R0lhv9qKrGD3h2sTSr0BvzF8i4GD1XFaQZkIVu455YWLUL81o3gf
EE+RmYYME4/rAwE5tKDsaAvDwS4k9/hB4xwoOgkoMp/BOatRSH2hLg6ceQ+vw+BX
2Vm4hE5BE63hucoTmdqvosT/Ul+Ltj1GhHhYwmmFf/oLUzYVIbGbD7PWAngoJBK4
vsfvKmzj8/d6EvclhNDFSHPvbW80VBexPjSEwROFMlb/IW4Royicz69lZFSRtpuz
Es8T/ax74PvVXg0X2raMkPmswbn8zslzV15C1pXFp11uCzVoAkikSAFx6KLar1Y=
-----END CERTIFICATE-----`;

const bare = (key: KeyObject, type: 'spki' | 'pkcs1' | 'pkcs8'): string =>
  key.export({ type: type as 'spki', format: 'der' }).toString('base64');
const pem = (key: KeyObject, type: 'spki' | 'pkcs1' | 'pkcs8'): string =>
  key.export({ type: type as 'spki', format: 'pem' }).toString();
const spki = bare(publicKey, 'spki');

/** An RSA key with this modulus and exponent, which Node would not generate. */
const keyOf = (change: (modulus: Buffer) => void, exponent = '010001'): string => {
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url');
  change(modulus);
  const e = Buffer.from(exponent, 'hex').toString('base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'RSA', n: modulus.toString('base64url'), e },
  });
  return bare(key, 'spki');
};
const asIs = () => {};

test.each([
  ['PEM of SPKI', pem(publicKey, 'spki')],
  ['PEM of PKCS#1', pem(publicKey, 'pkcs1')],
  ['bare SPKI', spki],
  ['bare PKCS#1', bare(publicKey, 'pkcs1')],
  ['bare SPKI in lines with blanks around', `\r\n  ${spki.replace(/.{64}/g, '$&\r\n')}\t\n`],
  ['PEM with blanks around', `\n\n ${pem(publicKey, 'spki')} \n`],
  ['PEM in one line', pem(publicKey, 'spki').replaceAll('\n', '')],
])('%s is read, and the private key decrypts what is encrypted with it', (_name, text) => {
  const key = readPublicKey(text);
  const padding = { oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING };
  const encrypted = publicEncrypt({ key, ...padding }, Buffer.from('hello'));
  expect(privateDecrypt({ key: privateKey, ...padding }, encrypted).toString()).toBe('hello');
});

test('a key of 4,096 bits is read', () => {
  const { publicKey: larger } = generateKeyPairSync('rsa', { modulusLength: 4_096 });
  expect(readPublicKey(bare(larger, 'spki')).asymmetricKeyDetails?.modulusLength).toBe(4_096);
});

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2_048 });
const small = generateKeyPairSync('rsa', { modulusLength: 1_024 });

test.each([
  ['a private key as PEM of PKCS#8', pem(privateKey, 'pkcs8'), /private/],
  ['a private key as PEM of PKCS#1', pem(privateKey, 'pkcs1'), /private/],
  ['a bare private key of PKCS#8', bare(privateKey, 'pkcs8'), /private/],
  ['a bare private key of PKCS#1', bare(privateKey, 'pkcs1'), /private/],
  [
    'a private key under the label of a public one',
    pem(privateKey, 'pkcs8').replaceAll('PRIVATE', 'PUBLIC'),
    /private/,
  ],
  ['a private key after the public one', `${pem(publicKey, 'spki')}${pem(privateKey, 'pkcs8')}`, /private/],
  ['a certificate as PEM', CERTIFICATE, /certificate/],
  ['a bare certificate', CERTIFICATE.replace(/-----[^-]+-----/g, ''), /certificate/],
  ['an EC key', bare(ec.publicKey, 'spki'), /must be an RSA key\.$/],
  ['an Ed25519 key', pem(generateKeyPairSync('ed25519').publicKey, 'spki'), /must be an RSA key\.$/],
  ['an RSA-PSS key', bare(pss.publicKey, 'spki'), /RSA-PSS/],
  ['a key of 1,024 bits', pem(small.publicKey, 'spki'), /2,048 to 16,384 bits/],
  ['an exponent of 1', keyOf(asIs, '01'), /exponent/],
  ['an even exponent', keyOf(asIs, '010000'), /exponent/],
  ['an exponent of 65 bits', keyOf(asIs, '010000000000000001'), /exponent/],
  ['an even modulus', keyOf((modulus) => (modulus[modulus.length - 1]! &= 0xfe)), /not a working RSA key/],
  ['two keys', `${pem(publicKey, 'spki')}${pem(publicKey, 'spki')}`, /must be an RSA public key/],
  ['half a key', spki.slice(0, 200), /must be an RSA public key/],
  ['armor without a key', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----', /must be an RSA public/],
  ['another armor', pem(publicKey, 'spki').replaceAll('PUBLIC', 'OTHER'), /must be an RSA public key/],
  ['nothing', ' \n ', /must be an RSA public key/],
  ['words', 'my key', /must be an RSA public key/],
  ['base64url', spki.replaceAll('+', '-').replaceAll('/', '_').replace(/^M/, '-'), /must be an RSA public/],
  ['a huge text', ' '.repeat(1_000_000) + spki, /at most 8,192 characters/],
])('%s is refused with its own message', (_name, text, sentence) => {
  expect(() => readPublicKey(text)).toThrow(sentence);
});

test('a refusal quotes nothing of the text', () => {
  const changed = fc.tuple(fc.nat(spki.length - 1), fc.base64String({ minLength: 4, maxLength: 8 }));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), changed), (input) => {
      const text =
        typeof input === 'string' ? input : spki.slice(0, input[0]) + input[1] + spki.slice(input[0] + 4);
      try {
        expect(readPublicKey(text).asymmetricKeyType).toBe('rsa');
      } catch (error) {
        const { message } = error as Error;
        expect(message).toMatch(/^publicKey [^\n]*\.$/);
        if (text.length > 30) expect(message).not.toContain(text.slice(10, 30));
      }
    }),
  );
});
