import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeVersion, ownVersion } from '../../src/lib/version.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { lineOf, SECRET, type WrongSetting } from '../service/wrong-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-start-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (args: string[], env: Record<string, string>, file = 'main.ts') =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../src', file), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      PORT: '0',
      REDPEN_DATA_DIR: join(folder, 'data'),
      ...env,
    },
    encoding: 'utf8',
    timeout: 300_000,
  });

test.each<[string, string[], Record<string, string>, string]>([
  ['an unknown argument', ['--port=1'], {}, 'There is no argument --port=1.'],
  [
    'a misspelled key',
    [],
    { ANTHROPC_API_KEY: SECRET },
    'Bad settings:\n  ANTHROPC_API_KEY: no such setting; did you mean ANTHROPIC_API_KEY?',
  ],
  [
    'a certificate of the database that does not exist',
    [],
    { DATABASE_URL: `postgres://u:${SECRET}@127.0.0.1:1/x?sslrootcert=/none/ca.pem` },
    "The database that DATABASE_URL names cannot be used: ENOENT: no such file or directory, open '/none/ca.pem'.",
  ],
])('%s keeps the service from starting, and is reported without a stack', (_name, args, env, expected) => {
  const { status, stderr } = start(args, env);
  expect([status, stderr]).toEqual([1, expect.stringContaining(expected)]);
  expect(stderr).toMatch(/^Redpen cannot start\. /);
  expect(stderr).not.toMatch(new RegExp(`\\n {4}at |${SECRET}`));
});

test('help is printed without reading any setting', () => {
  const { status, stdout } = start(['--help'], { PORT: 'x' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('REDPEN_DATA_DIR')]);
});

test.each(['main.ts', 'cli.ts'])('%s --version prints the version and the commit', (file) => {
  const { status, stdout } = start(['--version'], { PORT: 'x' }, file);
  expect([status, stdout]).toEqual([0, `${describeVersion()}\n`]);
  expect(stdout).toContain(ownVersion().version);
});

test('all settings that cannot be right on this machine are refused at once, before anything is created', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const port = String((server.address() as AddressInfo).port);
  const [file, program] = [join(folder, 'file'), join(folder, 'nochrome')];
  writeFileSync(file, '');
  const refused: WrongSetting[] = [
    {
      env: { PORT: port },
      name: 'PORT',
      shown: port,
      rule: `must be free, and another process listens on 127.0.0.1:${port} already`,
    },
    {
      env: { REDPEN_DATA_DIR: file },
      name: 'REDPEN_DATA_DIR',
      shown: file,
      rule: 'must be a folder, and there is a file',
    },
    {
      env: { CHROME_PATH: program },
      name: 'CHROME_PATH',
      shown: program,
      rule: 'must be the path of a program, and there is nothing',
    },
  ];
  const before = readdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = start([], Object.assign({}, ...refused.map(({ env }) => env)));
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Redpen cannot start\. Bad settings:\n/);
  for (const wrong of refused) expect(stderr).toMatch(lineOf(wrong));
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
