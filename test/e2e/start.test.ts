import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeVersion, ownVersion } from '../../src/lib/version.ts';
import { lineOf, SECRET, type WrongSetting } from '../wrong-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-start-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (args: string[], env: Record<string, string>, file = 'main.ts') =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../src', file), ...args], {
    env: { PATH: process.env.PATH, PORT: '0', REDPEN_DATA_DIR: join(folder, 'data'), ...env },
    encoding: 'utf8',
    timeout: 300_000,
  });

test.each<[string, string[], Record<string, string>, string]>([
  ['an unknown argument', ['--port=1'], {}, 'There is no argument --port=1.'],
  ['a bad setting', [], { PORT: 'x' }, 'PORT: must be a whole number from 0 to 65535 (it is "x")'],
  [
    'a certificate of the database that does not exist',
    [],
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x?sslrootcert=/none/ca.pem' },
    "The database that DATABASE_URL names cannot be used: ENOENT: no such file or directory, open '/none/ca.pem'.",
  ],
])('%s keeps the service from starting, and is reported without a stack', (_name, args, env, expected) => {
  const { status, stderr } = start(args, env);
  expect([status, stderr]).toEqual([1, expect.stringContaining(expected)]);
  expect(stderr).toMatch(/^Redpen cannot start\. /);
  expect(stderr).not.toMatch(/\n {4}at |hunter2/);
});

test('help is printed without reading any setting', () => {
  const { status, stdout } = start(['--help'], { PORT: 'x' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('REDPEN_DATA_DIR')]);
});

for (const [file, args] of [
  ['main.ts', ['--version']],
  ['cli.ts', ['--version']],
] as const) {
  test(`${file} --version prints the version and the commit`, () => {
    const { status, stdout } = start([...args], { PORT: 'x' }, file);
    expect([status, stdout]).toEqual([0, `${describeVersion()}\n`]);
    expect(stdout).toContain(ownVersion().version);
  });
}

/** Settings that are invalid on this machine, and one that is invalid everywhere. */
const refusals: [string, () => Promise<WrongSetting>][] = [
  [
    'a port in use',
    async () => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      onTestFinished(() => void server.close());
      const shown = String((server.address() as AddressInfo).port);
      const rule = `must be free, and another process listens on 127.0.0.1:${shown} already`;
      return { env: { PORT: shown }, name: 'PORT', shown, rule };
    },
  ],
  [
    'a data folder that is a file',
    async () => {
      const shown = join(folder, 'file');
      writeFileSync(shown, '');
      onTestFinished(() => rmSync(shown));
      const rule = 'must be a folder, and there is a file';
      return { env: { REDPEN_DATA_DIR: shown }, name: 'REDPEN_DATA_DIR', shown, rule };
    },
  ],
  [
    'a missing browser',
    async () => {
      const shown = join(folder, 'nochrome');
      const rule = 'must be the path of a program, and there is nothing';
      return { env: { CHROME_PATH: shown }, name: 'CHROME_PATH', shown, rule };
    },
  ],
  [
    'a misspelled key',
    async () => ({
      env: { ANTHROPC_API_KEY: SECRET },
      name: 'ANTHROPC_API_KEY',
      rule: 'no such setting; did you mean ANTHROPIC_API_KEY?',
    }),
  ],
];

test.each(refusals)('%s is refused before anything is created', async (_what, prepare) => {
  const wrong = await prepare();
  const before = readdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = start([], wrong.env);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Redpen cannot start\. Bad settings:\n/);
  expect(stderr).toMatch(lineOf(wrong));
  expect(stderr).not.toMatch(new RegExp(`\\n {4}at |${SECRET}`));
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
