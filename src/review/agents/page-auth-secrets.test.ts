import { expect, test } from 'vitest';
import { createKeyring } from '../../lib/crypto.ts';
import {
  openRunAuth,
  resealRunAuth,
  sealRunAuth,
  secretsOfAuth,
  tokensOfStorage,
} from './page-auth-secrets.ts';

test('the password in an Authorization header is secret too', () => {
  const basic = Buffer.from('jane:open-sesame').toString('base64');
  const auth = { headers: { Authorization: `Basic {{secrets.basic}}` }, secrets: { basic } };
  expect(secretsOfAuth(auth)).toEqual(expect.arrayContaining([basic, 'jane:open-sesame', 'open-sesame']));
});

test('tokens are found in JSON, in encoded cookies and in databases', () => {
  const token = (name: string) => `token-of-the-${name}`;
  const inJson = JSON.stringify({ access: token('json'), language: 'en' });
  const records = [
    { key: 'firebase:authUser:key-of-app', value: { user: { accessToken: token('value') } } },
    { valueEncoded: { id: 1, o: [{ k: 'aPropertyOfTheRecord', v: token('encoded') }] } },
  ];
  const found = tokensOfStorage({
    cookies: [{ value: encodeURIComponent(inJson.replace('json', 'cookie')) }, { value: 'j:"x"' }],
    origins: [
      {
        localStorage: [{ value: inJson }],
        indexedDB: [
          { name: 'aNameOfSomeDatabase', version: 1, stores: [{ name: 'aNameOfSomeStore', records }] },
        ],
      },
    ],
  });
  expect(found).toEqual(expect.arrayContaining(['json', 'cookie', 'value', 'encoded'].map(token)));
  expect(found.join(' ')).not.toMatch(/aNameOf|aProperty|key-of/);
});

test('the credentials of a run open for it alone, and also after the master key was rotated', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const owner = { apiKeyId: 'key_1', executionId: 'exec_1' };
  const auth = { headers: { 'x-key': 'open-sesame' } };
  const stored = sealRunAuth(auth, createKeyring([before]), owner);
  expect(JSON.stringify(stored)).not.toContain('sesame');
  const rotated = resealRunAuth(stored, createKeyring([after, before]), owner)!;
  expect(openRunAuth(rotated, createKeyring([after]), owner)).toEqual(auth);
  expect(resealRunAuth(rotated, createKeyring([after]), owner)).toBeUndefined();
  expect(resealRunAuth({ shown: stored.shown }, createKeyring([after]), owner)).toBeUndefined();
  for (const other of [{ apiKeyId: 'key_2' }, { executionId: 'exec_2' }])
    expect(() => openRunAuth(stored, createKeyring([before]), { ...owner, ...other })).toThrow();
});
