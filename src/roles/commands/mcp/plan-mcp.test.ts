import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpFlags } from './mcp-program.ts';
import { planMcp } from './plan-mcp.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-mcp-'));
  mkdirSync(join(folder, 'data', 'postgres'), { recursive: true });
  mkdirSync(join(folder, 'other', 'postgres'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const plan = (flags: McpFlags, environment: NodeJS.ProcessEnv = {}) =>
  planMcp({ flags, environment, folder });
const url = 'https://redpen.example.com';

test('a personal token comes from a flag or the environment, and goes before an API key', () => {
  const bearer = { service: { url, credentials: { authorization: 'Bearer rp_a' } }, isPerson: true };
  const key = { REDPEN_API_KEY: 'key', REDPEN_AUTH_TOKEN: 'secret' };
  expect(plan({ url }, { REDPEN_TOKEN: 'rp_a', ...key })).toMatchObject(bearer);
  expect(plan({ url, token: 'rp_a' }, { REDPEN_TOKEN: 'rp_b' })).toMatchObject(bearer);
  expect(plan({ url }, key)).toMatchObject({
    service: { url, credentials: { 'x-service-api-key': 'key', 'x-service-auth-token': 'secret' } },
    isPerson: false,
  });
});

test.each([
  ['https://redpen.example.com/', 'https://redpen.example.com', false],
  ['https://redpen.example.com/mcp', 'https://redpen.example.com', false],
  ['https://redpen.example.com/mcp/readonly', 'https://redpen.example.com', true],
  ['http://10.0.0.1:8080/redpen/mcp/', 'http://10.0.0.1:8080/redpen', false],
])('%s is taken as the console shows it', (given, base, isReadOnly) => {
  expect(plan({ url: given }, { REDPEN_TOKEN: 'rp_a' })).toMatchObject({
    service: { url: base },
    isReadOnly,
  });
});

test('without an address it is the data folder, that of the service by default', () => {
  expect(plan({}).service).toEqual({ folder: join(folder, 'data'), keyId: undefined });
  expect(plan({}, { REDPEN_DATA_DIR: 'other' }).service).toMatchObject({ folder: join(folder, 'other') });
  expect(plan({ data: 'other', key: 'key_1', readOnly: true }, { REDPEN_DATA_DIR: 'data' })).toEqual({
    service: { folder: join(folder, 'other'), keyId: 'key_1' },
    isPerson: false,
    isReadOnly: true,
  });
});

test.each<[McpFlags, NodeJS.ProcessEnv, string]>([
  [{ url }, {}, '--url needs a personal token in REDPEN_TOKEN'],
  [{ url }, { REDPEN_API_KEY: 'key' }, '--url needs a personal token in REDPEN_TOKEN'],
  [{ url }, { REDPEN_TOKEN: 'rp_a\nb' }, 'REDPEN_TOKEN is no token'],
  [{ url, data: 'data' }, { REDPEN_TOKEN: 'rp_a' }, 'leave one out'],
  [{ url, key: 'key' }, { REDPEN_TOKEN: 'rp_a' }, '--key belongs to --data'],
  [{ url: 'redpen.example.com' }, { REDPEN_TOKEN: 'rp_a' }, '--url must be the address of a service'],
  [{ url: 'https://a:b@redpen.example.com' }, { REDPEN_TOKEN: 'rp_a' }, '--url must be the address'],
  [{ data: 'missing' }, {}, 'is no data folder of a service'],
  [{ token: 'rp_a' }, {}, 'belong to --url'],
  [{}, { DATABASE_URL: 'postgres://db' }, 'DATABASE_URL is set'],
])('%j with %j is refused', (flags, environment, message) => {
  expect(() => plan(flags, environment)).toThrow(message);
});
