import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { fakeSite } from '../test/fakes/site.ts';
import { report } from './figures.ts';

// Measures the console of a service that starts: what it costs the start itself, how long the build takes that an empty cache
// needs, and the way of a new person from `npm start` to the first finding.
const root = resolve(import.meta.dirname, '..');
const BUILDS = join(root, 'node_modules/.cache/redpen-web');
const STARTS = Number(process.env.STARTS ?? 5);
const WITHIN_MS = 300_000;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (since: number): number => (performance.now() - since) / 1_000;

interface Started {
  child: ChildProcess;
  url: string;
  /** The link that the service prints for the first person, at a terminal. */
  link: string | undefined;
  /** Seconds until `/ready` said yes. */
  ready: number;
}

/** Starts a service on an empty folder as `npm start` does, at a terminal of its own. */
async function start(folder: string, env: Record<string, string> = {}): Promise<Started> {
  const startedAt = performance.now();
  const command = `exec '${process.execPath}' bootstrap.mjs start`;
  const { DATABASE_URL: _, CI: __, ...inherited } = process.env;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: root,
    env: { ...inherited, PORT: '0', REDPEN_DATA_DIR: folder, REDPEN_ALLOW_HOSTS: '127.0.0.0/8', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /ready at (http:\/\/[\w.]+:\d+)[\s\S]*Reference/.exec(output)?.[1];
      if (found) done(found.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', (code) => fail(new Error(`The service ended with ${code}: ${output}`)));
  });
  while (!(await fetch(`${url}/ready`)).ok) await sleep(10);
  const ready = seconds(startedAt);
  const link = /http:\/\/\S+#code=[\w-]+/.exec(output)?.[0].replace('localhost', '127.0.0.1');
  return { child, url, link, ready };
}

async function stop({ child }: Started): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Runs with a service on a folder of its own. */
async function withService<T>(
  env: Record<string, string>,
  run: (service: Started) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  try {
    const service = await start(folder, env);
    try {
      return await run(service);
    } finally {
      await stop(service);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the time until `/ready` with and without the console. */
async function measureReady(): Promise<void> {
  const times = { on: [] as number[], off: [] as number[] };
  for (let turn = 0; turn < STARTS; turn++) {
    for (const console of ['on', 'off'] as const)
      times[console].push(await withService({ REDPEN_CONSOLE: console }, async ({ ready }) => ready));
  }
  const value = Math.round(median(times.on) * 100) / 100;
  const without = Math.round(median(times.off) * 100) / 100;
  console.log(`first start until /ready: ${value} s with the console, ${without} s without`);
  report({
    name: 'console start until /ready',
    value,
    unit: 's',
    references: { 'without console': without },
  });
}

/** Opens the link in a window of its own, and waits for the pages of the console. */
async function openLink(browser: Browser, link: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

/** The time from `/ready` to a console that can be used, if it has to be built. */
async function measureBuild(browser: Browser): Promise<void> {
  const aside = `${BUILDS}.${process.pid}`;
  if (existsSync(BUILDS)) renameSync(BUILDS, aside);
  try {
    await withService({}, async ({ link }) => {
      const readyAt = performance.now();
      const page = await openLink(browser, link!);
      const value = Math.round(seconds(readyAt) * 10) / 10;
      await page.context().close();
      console.log(`from /ready to the console, without a build in the cache: ${value} s`);
      report({ name: 'console usable after /ready, built first', value, unit: 's' });
    });
  } finally {
    if (existsSync(aside)) {
      rmSync(BUILDS, { recursive: true, force: true });
      renameSync(aside, BUILDS);
    }
  }
}

const PAGE = `<!doctype html><html lang="en"><title>Boats</title><body><main><h1>Boats</h1>
<p>We recieve guests.</p><img src="/boat.png"><a href="/gone">Gone</a></main></body></html>`;

/** A new person: start, the printed link, an address, and the first finding with its pin. */
async function measureFirstFinding(browser: Browser): Promise<void> {
  const site = await fakeSite({ '/': PAGE });
  const startedAt = performance.now();
  try {
    await withService({}, async ({ link }) => {
      let clicks = 1; // The link.
      const page = await openLink(browser, link!);
      const field = page.getByLabel('Address of the page');
      await field.waitFor();
      if (!(await field.evaluate((element) => element === document.activeElement))) {
        await field.click();
        clicks++;
      }
      await page.keyboard.type(new URL(site.url).host);
      await page.getByRole('button', { name: 'Review' }).click();
      clicks++;
      await page.locator('rp-pins .pin').first().waitFor();
      const value = Math.round(seconds(startedAt) * 10) / 10;
      await page.context().close();
      console.log(`from npm start to the first finding with its pin: ${value} s, ${clicks} clicks`);
      report({ name: 'console first finding after npm start', value, unit: 's' });
      report({ name: 'console clicks to the first finding', value: clicks, unit: 'count' });
    });
  } finally {
    await site.close();
  }
}

/** Measures starts with services of their own. */
export async function measureStarts(browser: Browser): Promise<void> {
  await measureReady();
  await measureBuild(browser);
  await measureFirstFinding(browser);
}
