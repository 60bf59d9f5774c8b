import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { run } from './reviews/runs.ts';
import { expectLog } from './run/log-watch.ts';
import { browserProcesses, signalBrowsers } from './service/browser-processes.ts';
import { newWorkspace, type TestWorkspace, testApp } from './service/harness.ts';
import { endSharedBrowser } from './service/one-browser.ts';

const pages: Record<string, string> = {
  '/fine': '<!DOCTYPE html><html lang="en"><title>Fine</title><main><h1>Fine</h1></main></html>',
  '/hangs': '<p>x</p><script>for (;;);</script>',
  '/hangs-late': '<p>x</p><script>setTimeout(() => { for (;;); }, 200)</script>',
  '/grows': `<body style="height:3000px"><script>
    addEventListener('scroll', () => document.body.insertAdjacentHTML('beforeend', '<p style="height:3000px">more'));</script>`,
  '/huge': `<body><script>document.body.innerHTML = '<div><p><b>1</b></p></div>'.repeat(33000)
    + '<div style="height:100000px">tall</div>'</script>`,
  '/fills-memory': '<p>x</p><script>for (const all = []; ;) all.push(new Array(1000).fill({}));</script>',
  '/dialogs': `<script>addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });
    for (let i = 0; i < 10000; i++) { alert(i); confirm(i); prompt(i); }</script>`,
  '/crashes': '<img src="/now?renderer">',
  '/ends-the-browser': '<img src="/now?main">',
  '/stops-the-browser': '<img src="/now?stop">',
};

let folder = '';
let site: Server;
let address = '';
let w: TestWorkspace;

beforeAll(async () => {
  // Started before TMPDIR changes, since its own temporary files are not part of the test.
  await testApp();
  await endSharedBrowser();
  folder = mkdtempSync(join(tmpdir(), 'hostile-runs-'));
  vi.stubEnv('TMPDIR', folder);
  site = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    if (path === '/now') {
      const type = request.url!.endsWith('renderer') ? 'renderer' : 'main';
      const signal = request.url!.endsWith('stop') ? 'SIGSTOP' : 'SIGKILL';
      return signalBrowsers(type, signal);
    }
    if (path === '/file') {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' });
      return response.end('PK');
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    if (path !== '/endless') return response.end(pages[path] ?? '');
    const more = setInterval(() => response.write('<p>more</p>'.repeat(100)), 10);
    return response.on('close', () => clearInterval(more));
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  w = await newWorkspace();
});

afterAll(async () => {
  await endSharedBrowser();
  site.close();
  site.closeAllConnections();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const agent = {
  contextGathering: {
    strategies: ['web-page-accessibility', 'computed-styles', 'web-page-screenshot'],
    strategyOptions: {
      'computed-styles': { selectors: ['h1'] },
      // Limits the picture of the endless page, which takes longer the taller it is.
      'web-page-screenshot': { maxPageHeightPx: 4_000 },
    },
  },
  execution: { executionStrategy: 'service', serviceId: 'screenshot' },
};

async function review(path: string, phaseTimeoutMs: number) {
  const { execution } = await run(w, { ...agent, phaseTimeoutMs }, { url: address + path });
  return { status: execution.status, code: execution.error?.code, retryable: execution.error?.retryable };
}

// Two at a time, as many as may be open.
test.each([
  ['/hangs', '/endless'],
  ['/hangs-late', '/dialogs'],
  ['/huge', '/fills-memory'],
])('pages are closed at their time limit: %s and %s', async (...paths) => {
  expectLog(/page fails.*(took longer|ran out)/);
  for (const outcome of await Promise.all(paths.map((path) => review(path, 1500)))) {
    expect(outcome).toEqual({ status: 'error', code: 'TIMEOUT', retryable: true });
  }
});

test.each(['/file', '/crashes', '/ends-the-browser'])(
  'the page %s ends its run immediately',
  async (path) => {
    expectLog(/page fails.*(went away|returns a file)/);
    const code = 'CONTEXT_GATHERING_ERROR';
    expect(await review(path, 100_000)).toEqual({ status: 'error', code, retryable: true });
  },
);

test.each(['/grows', '/fine'])(
  'the page %s is still reviewed after all of these',
  { timeout: 900_000 },
  async (path) => {
    const { execution } = await run(w, { ...agent, phaseTimeoutMs: 300_000 }, { url: address + path });
    expect([execution.status, execution.error]).toEqual(['passed', undefined]);
  },
);

test('a frozen browser ends its run at the time limit', async () => {
  expectLog(/page fails/);
  expect(await review('/stops-the-browser', 2000)).toEqual({
    status: 'error',
    code: 'TIMEOUT',
    retryable: true,
  });
});

test('no process and no file of these runs is left', async () => {
  await endSharedBrowser();
  await expect.poll(() => browserProcesses()).toEqual([]);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});
