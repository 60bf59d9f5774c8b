import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { type AddressTries, checkAddress } from './check-address.ts';

const check = (env: Record<string, string>, tries?: AddressTries) => checkAddress(readConfig(env), tries);

const failing = (code: string): AddressTries => ({
  listen: async () => {
    throw Object.assign(new Error(code), { code });
  },
});

/** The number of a loopback port that is in use until the test ends. */
async function usedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

test('a free port is accepted, and free again after the check', async () => {
  expect(await check({ HOST: '127.0.0.1', PORT: '0' })).toEqual([]);
  expect(await check({ HOST: 'localhost', PORT: '0' }, { lookup: async () => '127.0.0.1' })).toEqual([]);
});

test('a port in use is refused, except for a worker, which only serves probes', async () => {
  const PORT = await usedPort();
  expect(await check({ PORT })).toEqual([
    {
      setting: 'PORT',
      value: PORT,
      rule: `must be free, and another process listens on 127.0.0.1:${PORT} already; set it to another port`,
    },
  ]);
  expect(await check({ PORT, REDPEN_ROLES: 'worker' })).toEqual([]);
  expect(await check({ PORT, REDPEN_ROLES: 'worker' }, failing('EADDRNOTAVAIL'))).toHaveLength(1);
});

test.each([
  ['EACCES', 'PORT', '80', 'must be a port that this user may listen on; those below 1024 mostly need root'],
  [
    'EADDRNOTAVAIL',
    'HOST',
    '192.0.2.1',
    'must be an address of this machine; 127.0.0.1 and 0.0.0.0 always are',
  ],
  ['EINVAL', 'HOST', '192.0.2.1', 'must be an address that this machine can listen on (EINVAL)'],
])('%s is reported for the setting %s', async (code, setting, value, rule) => {
  expect(await check({ HOST: '192.0.2.1', PORT: '80' }, failing(code))).toEqual([{ setting, value, rule }]);
});

test.each<[string, AddressTries]>([
  ['is unknown', { lookup: () => Promise.reject(new Error('ENOTFOUND')) }],
  ['never resolves', { lookup: () => new Promise(() => {}) }],
])('a name that %s is refused', async (_how, tries) => {
  expect(await check({ HOST: 'box.example' }, tries)).toEqual([
    {
      setting: 'HOST',
      value: 'box.example',
      rule: 'must be an IP address or a name of this machine, which does not know this name',
    },
  ]);
});
