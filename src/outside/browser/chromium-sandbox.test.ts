import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowserAgent } from '../browser-agent/create-browser-agent.ts';
import { createLighthouse } from '../lighthouse/create-lighthouse.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { createBrowser } from './browser-pool.ts';
import { createSandbox } from './chromium-sandbox.ts';

const MESSAGE =
  /^Chromium cannot start with its sandbox, .*user namespaces.* seccomp profile of a container.* REDPEN_BROWSER_SANDBOX=off /;
const URL_OF_PAGE = 'http://127.0.0.1:1/';
const guard = createGuard({ allowHosts: ['127.0.0.1'] });

let folder = '';
/** A fake Chromium on a system that forbids its sandbox. It records each start and ends at once. */
let chromePath = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  chromePath = join(folder, 'chromium');
  writeFileSync(
    chromePath,
    `#!/bin/sh
for argument in "$@"; do
  case "$argument" in --no-sandbox) echo started without >> ${folder}/starts; exit 1 ;; esac
done
echo started with >> ${folder}/starts
echo 'FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on Ubuntu 23.10+ ...' >&2
exit 1
`,
  );
  chmodSync(chromePath, 0o700);
});

afterAll(() => rmSync(folder, { recursive: true }));

const starts = () => {
  const lines = readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n');
  rmSync(join(folder, 'starts'));
  return lines;
};

const withSandbox = () => createSandbox({ setting: 'on', isRoot: false });
const visit = async (sandbox: ReturnType<typeof createSandbox>, path = chromePath) => {
  const browser = createBrowser({ chromePath: path, guard, log: () => {}, maxPages: 1, sandbox });
  try {
    await browser.withPage(URL_OF_PAGE, { deviceType: 'desktop', waitUntil: 'load' }, {}, async () => {});
    throw new Error('It went well.');
  } catch (error) {
    return error as Error;
  } finally {
    await browser.close();
  }
};

test('a browser that cannot use its sandbox is not started without it', async () => {
  const sandbox = withSandbox();
  expect(await visit(sandbox)).toMatchObject({ kind: 'crash', message: expect.stringMatching(MESSAGE) });
  expect(starts()).toEqual(['started with']);
});

test('the same applies to audits and to browser agents', async () => {
  const settings = { chromePath, guard, log: () => {}, sandbox: withSandbox() };
  const audit = createLighthouse(settings)(URL_OF_PAGE, { formFactor: 'desktop' });
  await expect(audit).rejects.toMatchObject({ message: expect.stringMatching(MESSAGE) });
  const agent = createBrowserAgent(settings);
  const task = { url: URL_OF_PAGE, signal: new AbortController().signal, timeoutMs: 30_000 };
  await expect(agent.run(task as Parameters<typeof agent.run>[0])).rejects.toMatchObject({
    message: expect.stringMatching(MESSAGE),
  });
  await agent.close();
  expect(starts()).toEqual(['started with', 'started with']);
});

test('as root, or if the setting is off, the browser starts without the sandbox', async () => {
  for (const sandbox of [
    createSandbox({ setting: 'on', isRoot: true }),
    createSandbox({ setting: 'off', isRoot: false }),
  ]) {
    expect(await visit(sandbox)).toMatchObject({
      message: 'The browser could not be started: the program of CHROME_PATH ended at once with exit code 1.',
    });
    expect(starts()).toEqual(['started without']);
  }
});

test('another reason for a failed start is not attributed to the sandbox', async () => {
  const sandbox = withSandbox();
  expect(await visit(sandbox, '/bin/false')).toMatchObject({
    message: 'The browser could not be started: the program of CHROME_PATH ended at once with exit code 1.',
  });
});
