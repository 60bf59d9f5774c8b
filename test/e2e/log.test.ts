import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { atEnd } from '../run/at-end.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { isThorough } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { ownDatabase } from '../service/own-database.ts';
import { spawnService, startService } from '../service/service.ts';

const root = join(import.meta.dirname, '../..');
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-log-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The output of the service on a terminal, from its start to its end. */
async function onTerminal(env: Record<string, string>): Promise<string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(DATABASE_URL|REDIS_URL|REDPEN_.*|NO_COLOR|FORCE_COLOR|TERM|CI)$/.test(name),
    ),
  );
  const terminal: IPty = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cols: 400,
    env: { ...inherited, NODE_COMPILE_CACHE, TERM: 'xterm-256color', PORT: '0', ...env },
  });
  let text = '';
  let isOver = false;
  terminal.onData((data) => {
    text += data;
  });
  terminal.onExit(() => {
    isOver = true;
  });
  try {
    await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(text) || isOver, 'the service');
    terminal.kill('SIGTERM');
    await until(() => isOver && /stopped|cannot start/.test(text), 'the end of the service');
  } finally {
    if (!isOver) terminal.kill('SIGKILL');
  }
  return text;
}

const PRETTY = /^\d\d:\d\d:\d\d\.\d{3} (INFO|WARN): {2}\S/;
const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => / (INFO|WARN|ERROR|FATAL): /.test(line));

test('on a terminal the log is in a readable form with colors, up to its last line', async () => {
  const text = await onTerminal({ REDPEN_DATA_DIR: newFolder() });
  const lines = linesOf(text);
  expect(text).toContain('\u001b[32mINFO');
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line).toMatch(PRETTY);
  expect(lines.at(-1)).toMatch(/stopped$/);
  expect(text).not.toContain('{"level"');
  const plain = stripVTControlCharacters(text).replaceAll('\r', '');
  expect(plain).toMatch(
    /\nRedpen \S+ is ready at (http:\/\/127\.0\.0\.1:\d+)\n {2}Console {4}\1\/console#code=rpl_[\w-]{43}\n {13}\(once, .*\)\n {2}Reference {2}\1\/docs\n {2}Next step {2}npm run redpen -- workspace create you@example\.com\n/,
  );
  expect(plain).toContain('creating the database, which takes a few seconds');
  expect(plain).toMatch(/migrating the schema migrations=\d+/);
});

test.runIf(isThorough)('NO_COLOR removes the colors, and REDPEN_LOG=json the readable form', async () => {
  const { env } = await ownDatabase();
  const plain = await onTerminal({ ...env, NO_COLOR: '1' });
  expect(linesOf(plain).length).toBeGreaterThan(3);
  expect(plain).not.toMatch(/\u001b\[3\dm/);
  const json = await onTerminal({ ...env, REDPEN_LOG: 'json' });
  expect(linesOf(json)).toEqual([]);
  expect(json).toContain('{"level":"info","time":"');
  expect(json).toMatch(/"console":"http:\/\/127\.0\.0\.1:\d+\/console"/);
  expect(json).not.toContain('code=');
});

test.each([
  ['starting', 'at the beginning', async () => (await ownDatabase()).env],
  ['creating the database', 'while the database is created', () => ({ REDPEN_DATA_DIR: newFolder() })],
] as const)('a signal that arrives at "%s", %s, stops the service cleanly', async (line, _when, settings) => {
  const child = spawnService(await settings());
  const ended = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    if (!child.killed && output.includes(`"msg":"${line}`)) child.kill('SIGTERM');
  });
  expect(await ended).toEqual([0, null]);
  expect(output.trimEnd().split('\n').at(-1)).toContain('"msg":"stopped"');
});

test('an uncaught exception stops the process cleanly, an unhandled rejection is only logged', async () => {
  const module = (file: string) => JSON.stringify(pathToFileURL(join(root, 'src/roles', file)).href);
  const script = `
    const { openLog } = await import(${module('log/create-log.ts')});
    const { watchFaults } = await import(${module('watch-faults.ts')});
    const log = openLog(process.stdout, { level: 'info' });
    watchFaults(log, async (reason, exitCode) => {
      log.info({ reason }, 'stopped');
      log.flush(() => process.exit(exitCode));
    });
    setInterval(() => {}, 1_000);
    process.on('unhandledRejection', () => setTimeout(() => { throw new TypeError('boom'); }));
    void Promise.reject(new RangeError('stray'));`;
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, out) =>
      resolve({ code: error?.code ?? 0, stdout: out }),
    );
  });
  expect(code).toBe(1);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: 'a rejection is not handled',
      err: expect.objectContaining({ message: 'stray' }),
    }),
    expect.objectContaining({
      level: 'fatal',
      msg: 'an uncaught exception ends the process',
      err: expect.objectContaining({ type: 'TypeError', message: 'boom', stack: expect.any(String) }),
    }),
    expect.objectContaining({ level: 'info', msg: 'stopped', reason: 'uncaught exception' }),
  ]);
});

test('a worker without other roles serves its metrics, works without them if its port is in use, and logs JSON into a pipe', async () => {
  const { env } = await ownDatabase();
  const service = await startService({ ...env, REDPEN_ROLES: 'worker' });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('# TYPE redpen_executions_total counter');
  expect((await service.post('/v2/workspace/create', {})).status).toBe(404);
  const second = spawnService({ ...env, PORT: new URL(service.url).port, REDPEN_ROLES: 'worker' });
  let output = '';
  second.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until(() => output.includes('"msg":"ready"') || second.exitCode !== null, 'the second worker');
  expect(output).toContain('its port is in use');
  second.kill('SIGTERM');
  await until(() => second.exitCode !== null, 'the end of the second worker');
  expect(second.exitCode).toBe(0);

  await service.kill('SIGTERM');
  // The rest of a pipe is read a moment after the process has ended.
  await until(() => service.output().includes('"msg":"stopped"'));
  const lines = service
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.stringMatching(/^(info|warn)$/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'redpen',
      msg: expect.any(String),
    });
  expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
});
