import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../../outside/browser/find-chromium.ts';
import { checkBrowser, checkBrowserApart } from './check-browser.ts';
import { fontAdvice } from './font-packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-browser-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

const task = { chromePath: process.env.CHROME_PATH, sandbox: 'off' as const };

test('the browser is started and described, and its rendering is checked', async () => {
  const { browser, fonts } = await checkBrowser({ ...task, signal: new AbortController().signal });
  expect(browser).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/^Chromium \d+\.\S+ \(.+\) started in .+, without its sandbox\.$/),
    advice: expect.stringContaining('REDPEN_BROWSER_SANDBOX'),
  });
  // Every installation has fonts with letters, at least the bundled ones.
  expect(fonts.found).not.toContain('Latin,');
  expect(['ok', 'warning']).toContain(fonts.status);
});

test('without any font the missing scripts are reported, with the packages to install', async () => {
  const found = await findChromium(task.chromePath === undefined ? {} : { chromePath: task.chromePath });
  const config = join(folder, 'no-fonts.conf');
  writeFileSync(config, '<?xml version="1.0"?><fontconfig></fontconfig>');
  const libraries = found.env.LD_LIBRARY_PATH;
  const chromePath = program(
    'without-fonts',
    `export FONTCONFIG_FILE='${config}'
${libraries === undefined ? '' : `export LD_LIBRARY_PATH='${libraries}'`}
exec '${found.path}' "$@"`,
  );
  const { fonts } = await checkBrowser({ ...task, chromePath, signal: new AbortController().signal });
  expect(fonts).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/Latin, Chinese, Japanese, Korean, and emoji/),
    advice: fontAdvice(['letters', 'cjk', 'emoji']),
  });
});

test('a browser that does not start is reported with its path and setting', async () => {
  const chromePath = program('ends', 'echo "out of order" >&2; exit 7');
  const { browser, fonts } = await checkBrowser({
    ...task,
    chromePath,
    signal: new AbortController().signal,
  });
  expect(browser).toMatchObject({
    status: 'failed',
    found: expect.stringMatching(
      /ends, which CHROME_PATH names, ended at once with exit code 7\. It says: out of order/,
    ),
    advice: expect.stringContaining(`CHROME_PATH is ${chromePath}.`),
    brief: 'The browser cannot be started: the program of CHROME_PATH ended at once with exit code 7.',
  });
  expect(fonts.status).toBe('skipped');
});

test('the check works in a separate process, which ends with its signal', async () => {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const chromePath = join(folder, 'none');
  expect(await checkBrowserApart({ ...task, chromePath }, ended.signal)).toMatchObject({
    browser: { status: 'failed', found: `CHROME_PATH names a file that does not exist: ${chromePath}.` },
  });
  const hung = checkBrowserApart({ ...task, chromePath: program('hangs', 'exec sleep 1000') }, ended.signal);
  ended.abort();
  await expect(hung).rejects.toThrow();
});
