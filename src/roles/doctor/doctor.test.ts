import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testLog as log } from '../../../test/run/log-watch.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { defaultSettings } from '../../postgres/cluster.ts';
import { runCommand } from '../commands/commands.ts';
import { type Check, printChecks, printJson } from './print-checks.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const doctor = async (env: Record<string, string>) => {
  const { output, exitCode, isAnswer } = await runCommand(['doctor', '--json'], () => ({
    config: readConfig({ ...(process.env.CHROME_PATH && { CHROME_PATH: process.env.CHROME_PATH }), ...env }),
    log,
    onProgress: () => {},
  }));
  expect(isAnswer).toBe(true);
  const { status, checks } = JSON.parse(output) as { status: string; checks: Check[] };
  return { output, exitCode, status, of: (name: string) => checks.find((check) => check.name === name)! };
};

test('before the first start everything available is checked, and nothing is created', {
  timeout: 900_000,
}, async () => {
  const folder = newFolder();
  const { exitCode, status, of } = await doctor({ REDPEN_DATA_DIR: join(folder, 'data') });
  expect({ exitCode, status: status === 'failed' }).toEqual({ exitCode: 0, status: false });
  expect(of('program').status).toBe('ok');
  expect(of('browser').found).toMatch(/^Chromium \d+/);
  expect(of('embeddings').status).toBe('ok');
  for (const name of ['database', 'model', 'mail', 'redis', 'webhooks', 'clock'])
    expect(of(name).status).toBe('skipped');
  expect(readdirSync(folder)).toEqual([]);
});

test('the database of a running service is checked, and otherwise the database is started', {
  timeout: 900_000,
}, async () => {
  const folder = newFolder();
  const env = { REDPEN_DATA_DIR: join(folder, 'data'), CHROME_PATH: join(folder, 'none') };
  const database = await openDatabase({
    dataDir: env.REDPEN_DATA_DIR,
    log,
    settings: { ...defaultSettings, fsync: false },
    onError: () => {},
  });
  await migrate(database.db);
  const during = await doctor(env);
  await database.close();
  const after = await doctor(env);
  for (const { exitCode, status, of } of [during, after]) {
    expect(of('database')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/\(embedded\), UTF8/),
    });
    expect(of('browser')).toMatchObject({
      status: 'failed',
      found: `CHROME_PATH names a file that does not exist: ${env.CHROME_PATH}.`,
    });
    expect({ exitCode, status }).toEqual({ exitCode: 1, status: 'failed' });
  }
});

test('all faulty settings are reported at once, without secrets', {
  timeout: 900_000,
}, async () => {
  const folder = newFolder();
  const { output, exitCode, of } = await doctor({
    REDPEN_DATA_DIR: folder,
    DATABASE_URL: 'postgres://me:hunter22@127.0.0.1:1/redpen',
    REDIS_URL: 'redis://me:hunter22@127.0.0.1:1',
    REDPEN_SMTP_URL: 'smtp://me:hunter22@127.0.0.1:1',
    REDPEN_MAIL_FROM: 'redpen@example.com',
    REDPEN_BLOB_URL: 'file:///dev/null/blobs',
    REDPEN_EMBEDDINGS: 'openai:text-embedding-3-small',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    REDPEN_MODEL: 'openai/some',
    CHROME_PATH: '/dev/null',
  });
  expect(exitCode).toBe(1);
  expect(output).not.toContain('hunter22');
  const settings = {
    database: 'DATABASE_URL',
    redis: 'REDIS_URL',
    mail: 'REDPEN_SMTP_URL',
    files: 'REDPEN_BLOB_URL',
    embeddings: 'REDPEN_EMBEDDINGS',
    model: 'OPENAI_BASE_URL',
    browser: 'CHROME_PATH',
  };
  for (const [name, setting] of Object.entries(settings)) {
    const { status, found, advice } = of(name);
    expect({ name, status }).toEqual({ name, status: 'failed' });
    expect(`${found} ${advice}`).toContain(setting);
  }
  expect(existsSync(join(folder, 'blobs'))).toBe(false);
});

test('invalid settings are reported as a failed check', async () => {
  const { exitCode, of } = await doctor({
    PORT: 'eighty',
    REDPEN_DAT_DIR: '/x',
    REDPEN_MODEL: 'gemini/some',
  });
  expect(exitCode).toBe(1);
  expect(of('settings')).toMatchObject({
    status: 'failed',
    found: expect.stringMatching(
      /REDPEN_DAT_DIR: no such setting.*REDPEN_MODEL: needs its provider: set GOOGLE_GENERATIVE_AI_API_KEY.*PORT: must be/,
    ),
  });
});

const checks: Check[] = [
  { name: 'disk', status: 'ok', found: 'There is room.', ms: 1.4 },
  { name: 'fonts', status: 'warning', found: 'Boxes are shown.', advice: 'Install fonts.', ms: 2 },
  {
    name: 'browser',
    status: 'failed',
    found: `It does not start, ${'and says so at length '.repeat(5)}`.trim(),
    advice: 'Set CHROME_PATH.',
    ms: 3,
  },
  { name: 'mail', status: 'skipped', found: 'None is set.', ms: 0 },
];

test('without a terminal, each check is one line without colors', () => {
  const printed = printChecks(checks, { isTerminal: false, columns: 40, hasColors: false });
  expect(printed.split('\n')).toEqual([
    'ok       disk     There is room.',
    'warning  fonts    Boxes are shown. Install fonts.',
    expect.stringMatching(/^failed {3}browser {2}It does not start, .* Set CHROME_PATH\.$/),
    'skipped  mail     None is set.',
    '1 ok, 1 warning, 1 failed, 1 skipped',
    '',
  ]);
});

test('on a terminal, lines are wrapped and aligned, with the advice beneath', () => {
  const printed = printChecks(checks, { isTerminal: true, columns: 60, hasColors: false });
  expect(printed).toBe(`
  ✓ disk     There is room.
  ! fonts    Boxes are shown.
             → Install fonts.
  ✗ browser  It does not start, and says so at length and
             says so at length and says so at length and
             says so at length and says so at length
             → Set CHROME_PATH.
  – mail     None is set.

  1 ok, 1 warning, 1 failed, 1 skipped

`);
  const colored = printChecks(checks, { isTerminal: true, columns: 60, hasColors: true });
  expect(colored).toContain('\x1b[31m✗\x1b[39m');
});

test('as JSON, the overall status is the worst one', () => {
  expect(JSON.parse(printJson(checks))).toMatchObject({
    status: 'failed',
    checks: [{ name: 'disk', status: 'ok', found: 'There is room.', ms: 1 }, {}, {}, {}],
  });
  expect(JSON.parse(printJson(checks.slice(0, 2)))).toMatchObject({ status: 'warning' });
});
