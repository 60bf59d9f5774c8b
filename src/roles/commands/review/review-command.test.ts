import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { review } from './review-command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-words-'));
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), 'text');
});
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = 'http://127.0.0.1:1/';

async function run(words: string[], environment: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdout, stderr } as unknown as Pick<NodeJS.Process, 'stdout' | 'stderr'>;
  const code = await review(words, { environment, folder, ...streams });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

test.each([
  [['http://eve:hunter2@example.com/']],
  [['http://eve:hun/hunter2@example.com/']],
  [['--watch', 'https://eve:hunter2@example.com/']],
  [[PAGE, '--server', 'http://eve:hunter2@127.0.0.1:1']],
  [[PAGE, '--auth-tokn=hunter2']],
  [[PAGE, '--api-key', 'hunter2', '--auth-token', 'hunter2']],
  [[PAGE, '--config', 'secret.json']],
])('the message on %j does not repeat the secret', async (words) => {
  writeFileSync(join(folder, 'secret.json'), '{"auth": {"basic": {"password": hunter2}}}');
  const { code, stdout, stderr } = await run(words, {
    REDPEN_API_KEY: 'hunter2',
    REDPEN_AUTH_TOKEN: 'hunter2',
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toBe('');
  expect(stderr).not.toContain('hunter2');
});

test.each([
  [[PAGE, '--output', 'file/reports'], /--output needs a folder, and .*file is none\./],
  [[PAGE, '--output', 'file'], /--output needs a folder/],
  [[PAGE, '--baseline', 'file/known.json', '--update-baseline'], /--baseline needs a folder/],
  [[PAGE, '--baseline', 'folder'], /The baseline .*folder cannot be read: EISDIR/],
  [['--watch', 'folder', '--output', 'file'], /--output needs a folder/],
])('%j is refused before anything is reviewed', async (words, problem) => {
  const { code, stdout, stderr } = await run(words);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(problem) });
});

test.each([
  ['file:///srv/index.html', '--watch FOLDER reviews files.'],
  ['/about.html', '--watch FOLDER reviews files.'],
  ['./about.html', '--watch FOLDER reviews files.'],
  ['localhost:3000', 'Write https://localhost:3000 or http://localhost:3000.'],
])('%s is no page, and the message says what to do', async (word, help) => {
  expect(await run([word])).toMatchObject({ code: 2, stderr: expect.stringContaining(help) });
});
