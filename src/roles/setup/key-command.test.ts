import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../../test/run/until.ts';
import { readCommandWords } from '../settings/key-settings.ts';
import { runKeyCommand } from './key-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'redpen-key-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 5);
const base64 = key.toString('base64');

/** A command that runs a script of Node. */
const script = (text: string): string => JSON.stringify([process.execPath, '-e', text]);

test.each([
  ['vault kv get  -field=key secret/redpen', ['vault', 'kv', 'get', '-field=key', 'secret/redpen']],
  ['["a b", "$HOME", ""]', ['a b', '$HOME', '']],
  ['echo $KEY', undefined],
  ['cat key | base64', undefined],
  ['"/my programs/key"', undefined],
  ['[]', undefined],
  ['[""]', undefined],
  ['["a", 1]', undefined],
  ['["a"', undefined],
])('the words of %s', (text, words) => {
  expect(readCommandWords(text)).toEqual(words);
});

test('the keys are what the command prints, a line each', async () => {
  const other = Buffer.alloc(32, 6);
  const text = `console.log(${JSON.stringify(`${base64}\n${other.toString('base64')}`)})`;
  expect(await runKeyCommand(script(text))).toEqual([key, other]);
});

test('no shell reads the arguments', async () => {
  const text = JSON.stringify([process.execPath, '-p', 'process.argv[1]', '--', `$(echo ${base64})`]);
  await expect(runKeyCommand(text)).rejects.toThrow('line 1 is not base64');
});

test.each([
  ['process.stderr.write("permission denied"); process.exit(3)', /exit code 3\. It said: permission denied$/],
  ['process.kill(process.pid, "SIGTERM")', /ended by SIGTERM\.$/],
  ['', /contains no key/],
  [`console.log("${base64}"); process.exit(1)`, /exit code 1\.$/],
  [`console.error("+ echo ${base64}"); process.exit(1)`, /It said: \+ echo \*\*\*$/],
  ['for (;;) process.stdout.write("x".repeat(10_000))', /prints more than keys/],
])('a failure is explained without the key: %s', async (text, message) => {
  const error = await runKeyCommand(script(text)).catch((thrown: unknown) => thrown as Error);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toContain(base64);
});

test('a program that is not there is named', async () => {
  await expect(runKeyCommand('/nothing/here')).rejects.toThrow(
    'REDPEN_MASTER_KEY_COMMAND: /nothing/here cannot be run (ENOENT)',
  );
});

test('a child that stays in the background with the pipes of the command is not waited for', async () => {
  const file = join(folder, 'helper');
  const command = join(folder, 'helper.sh');
  writeFileSync(command, `sleep 600 & echo $! > ${file}; echo ${base64}\n`);
  try {
    // It would end with the command after this time, as one that hangs.
    expect(await runKeyCommand(`/bin/sh ${command}`, 300_000)).toEqual([key]);
  } finally {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  }
});

test('a command that hangs is ended along with its children', async () => {
  const file = join(folder, 'pid');
  const sleeper = join(folder, 'sleeper.sh');
  writeFileSync(sleeper, `sleep 600 & echo $! > ${file}; wait\n`);
  await expect(runKeyCommand(`/bin/sh ${sleeper}`, 2_000)).rejects.toThrow('has not ended within 2 s');
  const pid = Number(readFileSync(file, 'utf8'));
  await until(() => {
    // A process that has ended stays a zombie in a container without an init that collects it.
    try {
      return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return true;
    }
  });
});
