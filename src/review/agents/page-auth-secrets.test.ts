import { expect, test } from 'vitest';
import { secretsOfAuth, tokensOfStorage } from './page-auth-secrets.ts';

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
