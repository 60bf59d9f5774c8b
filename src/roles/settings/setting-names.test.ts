import { expect, test } from 'vitest';
import { CLIENT_VARIABLES, listWarnings, readConfig } from '../../config.ts';
import { printSettings } from '../docs/print-settings.ts';

test('variables that commands print for clients are accepted, and help lists them', () => {
  const env = Object.fromEntries(CLIENT_VARIABLES.map((name) => [name, 'x']));
  expect(readConfig(env)).toEqual(readConfig({}));
  expect(listWarnings(env)).toEqual([]);
  for (const name of CLIENT_VARIABLES) expect(printSettings()).toContain(`  ${name}\n`);
});

test.each([
  ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ['REDIS_URI', 'REDIS_URL'],
  ['OPENAI_API_KEY_2', 'OPENAI_API_KEY'],
  ['DATABASE_URLS', 'DATABASE_URL'],
])('%s may belong to another program, so it is only a warning, and none if %s is set', (name, setting) => {
  expect(() => readConfig({ [name]: 'x' })).not.toThrow();
  expect(listWarnings({ [name]: 'secret' })).toEqual([
    `${name} is set and means nothing to Redpen, which reads ${setting}.`,
  ]);
  expect(listWarnings({ [name]: 'x', [setting]: 'y' })).toEqual([]);
});

test('a misspelled setting is refused, unless the setting itself is set, too', () => {
  expect(() => readConfig({ OPENAI_APIKEY: 'x' })).toThrow('did you mean OPENAI_API_KEY?');
  expect(() => readConfig({ OPENAI_APIKEY: 'x', OPENAI_API_KEY: 'y' })).not.toThrow();
});

test('names of other programs and of the system are ignored', () => {
  const env = Object.fromEntries(
    [
      'HOME',
      'POST',
      'HOSTS',
      'HOSTNAME',
      'PORTS',
      'DATABASE_SSL',
      'DATABASE_USER',
      'REDIS_HOST',
      'REDIS_PORT',
    ].map((name) => [name, 'x']),
  );
  const others = { CHROMA_PATH: 'x', AZURE_OPENAI_API_KEY: 'x', NODE_PATH: 'x', OPENAI_ORG_ID: 'x' };
  expect(() => readConfig({ ...env, ...others })).not.toThrow();
  expect(listWarnings({ ...env, ...others })).toEqual([]);
});

test('settings without an effect are warnings', () => {
  const server = { DATABASE_URL: 'postgres://127.0.0.1/x' };
  expect(listWarnings({ ...server, REDPEN_POSTGRES_MEMORY: '64' })).toEqual([
    'REDPEN_POSTGRES_MEMORY is set and does nothing, since DATABASE_URL names a server of yours.',
  ]);
  expect(listWarnings({ REDPEN_ALLOW_HOSTS: 'a.example, 0.0.0.0/0' })).toEqual([
    expect.stringContaining('REDPEN_ALLOW_HOSTS allows every address (0.0.0.0/0)'),
  ]);
  expect(listWarnings({ REDPEN_ROLES: 'api, realtime' })[0]).toMatch(
    /^REDPEN_ROLES leaves worker out: no run/,
  );
  expect(listWarnings({ ...server, REDPEN_ROLES: 'api' })).toEqual([]);
  expect(listWarnings({ REDPEN_ROLES: 'api, worker' })).toEqual([]);
});

test('parts of runs that are to be kept for longer than the runs are reported', () => {
  const keep = (screenshots: string, runs: string) =>
    listWarnings({ REDPEN_KEEP_SCREENSHOTS: screenshots, REDPEN_KEEP_RUNS: runs });
  expect(keep('90', '30')).toEqual([
    'REDPEN_KEEP_SCREENSHOTS (90 days) does nothing: after REDPEN_KEEP_RUNS (30 days) the whole run is removed.',
  ]);
  expect(keep('30', '90')).toEqual([]);
});
