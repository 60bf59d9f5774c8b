import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { gatherAll } from '../src/review/gather/gather.ts';
import type { PageAccessibility } from '../src/review/gather/web-page-accessibility.ts';
import { PAGES, plantedOn } from './accessibility-site.ts';
import { memoryOfTree } from './process-memory.ts';

/** Reviews pages one after another; returns the ids of the rules that each violates. */
interface Contender {
  review(urls: string[]): Promise<string[][]>;
  close(): Promise<void>;
}

const execute = promisify(execFile);
const { path: chromePath, env: chromeEnv } = await findChromium({ chromePath: process.env.CHROME_PATH });
Object.assign(process.env, chromeEnv);

const contenders: Record<string, () => Promise<Contender>> = {
  async redpen() {
    const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
    const browser = createBrowser({ guard, log: () => {}, maxPages: 1, chromePath });
    const review = async (url: string) => {
      const { gathered } = await gatherAll({
        url,
        deviceType: 'desktop',
        strategies: ['web-page-accessibility'],
        values: {},
        lighthouse: () => Promise.reject(new Error('This benchmark runs no audits.')),
        fetch: () => Promise.reject(new Error('This benchmark fetches nothing but the page.')),
        browser,
        signal: new AbortController().signal,
        log: () => {},
      });
      return (gathered[0]!.data as PageAccessibility).violations.map(({ id }) => id);
    };
    return { review: oneByOne(review), close: () => browser.close() };
  },

  /** The lower bound: a warm browser opens the page and runs axe-core in it. */
  async bare() {
    const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const browser = await chromium.launch({
      executablePath: chromePath,
      env: process.env as Record<string, string>,
    });
    const review = async (url: string) => {
      const page = await browser.newPage();
      await page.goto(url);
      await page.evaluate(script);
      const results = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run(),
      );
      await page.close();
      return results.violations.map(({ id }) => id);
    };
    return { review: oneByOne(review), close: () => browser.close() };
  },

  /** Reviews all pages in one call and one browser. Needs a driver of the same version. */
  async 'axe-cli'() {
    const cliPath = join(import.meta.dirname, 'node_modules/@axe-core/cli/dist/src/bin/cli.js');
    const driver = process.env.CHROMEDRIVER_PATH;
    if (!driver) throw new Error('Set CHROMEDRIVER_PATH to a driver of this Chromium.');
    const folder = mkdtempSync(join(tmpdir(), 'axe-cli-'));
    return {
      async review(urls) {
        const options = [
          '--dir',
          folder,
          '--save',
          'results.json',
          '--chromedriver-path',
          driver,
          '--chrome-path',
          chromePath,
        ];
        // The flag has no dashes here, since the CLI would take it for one of its own.
        await execute(process.execPath, [cliPath, ...urls, ...options, '--chrome-options', 'no-sandbox'], {
          maxBuffer: 1e9,
        });
        const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as {
          violations: { id: string }[];
        }[];
        return results.map(({ violations }) => violations.map(({ id }) => id));
      },
      async close() {
        rmSync(folder, { recursive: true });
      },
    };
  },

  async pa11y() {
    // The computed names keep tsc from resolving packages that only bench/ installs.
    const { default: pa11y } = await import(['pa11y'].join());
    const { default: puppeteer } = await import(['puppeteer-core'].join());
    const browser = await puppeteer.launch({ executablePath: chromePath, args: ['--no-sandbox'] });
    const review = async (url: string) => {
      const { issues } = await pa11y(url, { browser, runners: ['axe'], standard: 'WCAG2AA' });
      return [...new Set((issues as { code: string }[]).map(({ code }) => code))];
    };
    return { review: oneByOne(review), close: () => browser.close() };
  },
};

const oneByOne = (review: (url: string) => Promise<string[]>) => async (urls: string[]) => {
  const rules: string[][] = [];
  for (const url of urls) rules.push(await review(url));
  return rules;
};

const [, file, name, site] = process.argv;
if (name && site?.startsWith('http:')) {
  const contender = await contenders[name]!();
  const urls = Array.from({ length: PAGES }, (_, number) => `${site}page/${number}`);
  // The first page is reviewed once as a warm-up, and again with the others.
  let startedAt = performance.now();
  await contender.review(urls.slice(0, 1));
  const firstMs = performance.now() - startedAt;
  startedAt = performance.now();
  const rules = await contender.review(urls);
  const spentMs = performance.now() - startedAt;
  const ms = name === 'axe-cli' ? (spentMs - firstMs) / (PAGES - 1) : spentMs / PAGES;
  const planted = urls.flatMap((_, number) => plantedOn(number).map((rule) => [number, rule] as const));
  const found = planted.filter(([number, rule]) => rules[number]!.includes(rule)).length;
  process.send!({ ms, found, planted: planted.length });
  await contender.close();
  process.disconnect();
} else {
  await compare();
}

async function compare() {
  const server = fork(new URL('./accessibility-site.ts', import.meta.url));
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const times: Record<string, number[]> = {};
  const selected = process.argv.slice(2);
  const names = Object.keys(contenders).filter((contender) =>
    selected.length > 0
      ? selected.includes(contender)
      : contender !== 'axe-cli' || process.env.CHROMEDRIVER_PATH,
  );
  for (let round = 0; round < Number(process.env.ROUNDS ?? 3); round++) {
    for (const contender of names) {
      const child = fork(file!, [contender, `http://127.0.0.1:${port}/`], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      let memory = 0;
      const watch = setInterval(() => {
        memory = Math.max(memory, memoryOfTree(child.pid!));
      }, 200);
      const [{ ms, found, planted }] = (await once(child, 'message')) as [
        { ms: number; found: number; planted: number },
      ];
      clearInterval(watch);
      times[contender] = [...(times[contender] ?? []), ms];
      console.log(
        `${contender}: ${ms.toFixed(0)} ms per page, ${found} of ${planted} planted faults, ${(memory / 2 ** 20).toFixed(0)} MB at most`,
      );
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
  server.disconnect();
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  if (!times.bare) return;
  const bare = median(times.bare);
  for (const contender of names)
    console.log(`${contender}: ${(median(times[contender]!) / bare).toFixed(2)} times the lower bound`);
}
