import { expect, test } from 'vitest';
import { createDnsCache } from './dns-cache.ts';

const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

test('connections go to the addresses that they are counted for, until those are looked up again', async () => {
  const answers = [v4('192.0.2.1'), v4('192.0.2.2')];
  const known = createDnsCache({ resolve: async () => answers.shift()!, freshMs: 0 });
  const url = 'https://Hooks.example.:8443/x';
  expect(known.targets.of(url)).toEqual(['hooks.example|8443']);
  await known.targets.refresh(url);
  expect(known.targets.of(url)).toEqual(['192.0.2.1|8443', 'hooks.example|8443']);
  expect(await known.resolve('hooks.example')).toEqual(v4('192.0.2.1'));
  await known.targets.refresh(url);
  expect(known.targets.of(url)).toEqual(['192.0.2.2|8443', 'hooks.example|8443']);
  expect(await known.resolve('hooks.example')).toEqual(v4('192.0.2.2'));
});

test('a name is looked up once at a time, and not again while it is fresh', async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return v4('192.0.2.1');
  };
  const known = createDnsCache({ resolve, freshMs: 600_000 });
  await Promise.all([known.targets.refresh('http://a.example'), known.resolve('a.example')]);
  await known.targets.refresh('http://a.example');
  expect(asked).toBe(1);
});

test('a name that cannot be resolved is looked up by whoever connects, who is told why', async () => {
  const known = createDnsCache({
    resolve: () => Promise.reject(Object.assign(new Error('No address'), { code: 'ENOTFOUND' })),
  });
  await known.targets.refresh('http://gone.example');
  expect(known.targets.of('http://gone.example')).toEqual(['gone.example|80']);
  await expect(known.resolve('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('an address stands for itself in whatever way it is written', () => {
  const { targets } = createDnsCache();
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1'])
    expect(targets.of(`http://${host}/`)).toEqual(['127.0.0.1|80']);
});
