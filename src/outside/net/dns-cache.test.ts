import { expect, test } from 'vitest';
import { createDnsCache } from './dns-cache.ts';

const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

test('a target has the addresses that connections use, until the name is resolved again', async () => {
  const answers = [v4('192.0.2.1'), v4('192.0.2.2')];
  const cache = createDnsCache({ resolve: async () => answers.shift()!, freshMs: 0 });
  const url = 'https://Hooks.example.:8443/x';
  expect(cache.targets.of(url)).toEqual(['hooks.example|8443']);
  await cache.targets.refresh(url);
  expect(cache.targets.of(url)).toEqual(['192.0.2.1|8443', 'hooks.example|8443']);
  expect(await cache.resolve('hooks.example')).toEqual(v4('192.0.2.1'));
  await cache.targets.refresh(url);
  expect(cache.targets.of(url)).toEqual(['192.0.2.2|8443', 'hooks.example|8443']);
  expect(await cache.resolve('hooks.example')).toEqual(v4('192.0.2.2'));
});

test('concurrent lookups of a name are shared, and a fresh result is reused', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return v4('192.0.2.1');
  };
  const cache = createDnsCache({ resolve, freshMs: 600_000 });
  await Promise.all([cache.targets.refresh('http://a.example'), cache.resolve('a.example')]);
  await cache.targets.refresh('http://a.example');
  expect(lookups).toBe(1);
});

test('a failed lookup is retried by the connection, which gets the error', async () => {
  const cache = createDnsCache({
    resolve: () => Promise.reject(Object.assign(new Error('No address'), { code: 'ENOTFOUND' })),
  });
  await cache.targets.refresh('http://gone.example');
  expect(cache.targets.of('http://gone.example')).toEqual(['gone.example|80']);
  await expect(cache.resolve('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('an address in any notation is its own target', () => {
  const { targets } = createDnsCache();
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1'])
    expect(targets.of(`http://${host}/`)).toEqual(['127.0.0.1|80']);
});
