import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createGuard } from '../net/ssrf-guard.ts';
import { launchBrowser } from './launch-browser.ts';
import { launchFailureOf } from './launch-failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'launch-failure-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string, mode = 0o700): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

async function failureOf(chromePath: string) {
  const outcomes: unknown[] = [];
  const failure = await launchBrowser({
    chromePath,
    guard: createGuard({ allowHosts: [] }),
    log: () => {},
    onOutcome: (outcome) => outcomes.push(outcome),
  }).then(
    () => expect.unreachable('It started.'),
    (error) => error,
  );
  expect(outcomes).toEqual([failure]);
  return failure;
}

test.each([
  ['is not there', () => join(folder, 'none'), 'CHROME_PATH names a file that does not exist', /none\.$/],
  ['is a folder', () => folder, 'CHROME_PATH names a folder in place of a program', /launch-failure/],
  [
    'may not be executed',
    () => program('data', '', 0o600),
    'CHROME_PATH names a file that may not be executed',
    /data\.$/,
  ],
  [
    'lacks a library',
    () =>
      program('bare', 'echo "error while loading shared libraries: libnss3.so: cannot open" >&2; exit 127'),
    'the program of CHROME_PATH lacks the library libnss3.so',
    /bare, which CHROME_PATH names, lacks .* It says: error while loading/,
  ],
  [
    'ends at once',
    () => program('short', 'echo "no such option" >&2; exit 3'),
    'the program of CHROME_PATH ended at once with exit code 3',
    /short, which .* exit code 3\. It says: no such option$/,
  ],
])('the failure of a program that %s is described', async (_what, path, brief, message) => {
  expect(await failureOf(path())).toMatchObject({ brief, message: expect.stringMatching(message) });
});

test.each([
  ['Timeout 30000ms exceeded.\nCall log:', 'Chromium did not answer in time'],
  [
    'closed\n  - [pid=1] <process did exit: exitCode=null, signal=SIGKILL>',
    'Chromium was ended by SIGKILL as it started',
  ],
  ['The archive /a/b is broken.', 'Chromium did not start'],
])('the failure of a bundled browser that prints %j is described', (output, brief) => {
  expect(launchFailureOf(new Error(output), '/cache/chromium', undefined)).toMatchObject({ brief });
});
