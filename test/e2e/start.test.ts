import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const start = (args: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...args], {
    env: { PATH: process.env.PATH, PORT: '0', REDPEN_DATA_DIR: '/nonexistent/redpen', ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });

test.each<[string, string[], Record<string, string>, string]>([
  ['an argument that is none', ['--port=1'], {}, 'There is no argument --port=1.'],
  ['a bad setting', [], { PORT: 'x' }, 'PORT: must be a whole number from 0 to 65535 (it is "x")'],
  [
    'a database that does not answer',
    [],
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
    'The database that DATABASE_URL names cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
  ],
])('%s keeps the service from starting, and is told without a stack', (_name, args, env, expected) => {
  const { status, stderr } = start(args, env);
  expect([status, stderr]).toEqual([1, expect.stringContaining(expected)]);
  expect(stderr).toMatch(/^Redpen cannot start\. /);
  expect(stderr).not.toMatch(/\n {4}at |hunter2/);
});

test('help is printed without any setting being read', () => {
  const { status, stdout } = start(['--help'], { PORT: 'x' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('REDPEN_DATA_DIR')]);
});
