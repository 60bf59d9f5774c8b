import { expect, test } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { identify } from '../../packages/client/src/stores/identity.ts';

const baseUrl = 'https://redpen.example.com';
const ada = { userId: 'ada', name: 'Ada', email: 'ada@acme.dev' };
const identityOf = (apiKey: string, user = ada) =>
  identify(createClient({ baseUrl, session: { apiKey, user } }).connection);

test('a client with a cookie acts for the person of its session', async () => {
  expect((await identityOf('key_1')).user).toEqual(ada);
  expect((await identify(createClient({ baseUrl }).connection)).user).toBe(undefined);
});

test('clients of different keys or persons share neither streams nor writes', async () => {
  const all = await Promise.all([
    identityOf('key_1'),
    identityOf('key_2'),
    identityOf('key_1', { ...ada, userId: 'bob' }),
  ]);
  expect(new Set(all.map(({ rights }) => rights)).size).toBe(3);
  expect(new Set(all.map(({ owner }) => owner)).size).toBe(3);
  expect(await identityOf('key_1', { ...ada, name: 'Ada L.' })).toMatchObject({ rights: all[0]!.rights });
});
