import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { completeFindings } from '../src/review/findings/finding-to-annotation.ts';
import { lookAtPage } from '../src/review/findings/look-at-page.ts';
import { gatherAll } from '../src/review/gather/gather.ts';
import type { PageAccessibility } from '../src/review/gather/web-page-accessibility.ts';
import { accessibilityFindings } from '../src/review/rules/audits/accessibility-findings.ts';
import type { ScreenshotChoice } from '../src/shapes/agents/run.ts';
import { PAGES, plantedOn } from './accessibility-site.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { memoryOfTree } from './process-memory.ts';

/** Ids of the rules that a page violates, and the time that its review took, unless pages are reviewed together. */
interface Reviewed {
  rules: string[];
  ms?: number;
}

/** Reviews pages one after another. */
interface Contender {
  review(urls: string[]): Promise<Reviewed[]>;
  close(): Promise<void>;
}

const execute = promisify(execFile);
const { path: chromePath, env: chromeEnv } = await findChromium({ chromePath: process.env.CHROME_PATH });
Object.assign(process.env, chromeEnv);

/** Reviews pages as a run does, with the positions of findings, until its results are written. */
async function redpen(screenshots: ScreenshotChoice): Promise<Contender> {
  const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
  const browser = createBrowser({ guard, log: () => {}, maxPages: 1, chromePath });
  const { signal } = new AbortController();
  const context: Parameters<typeof lookAtPage>[3] = {
    signal,
    log: () => {},
    once: (_key, make) => make(),
    storeArtifact: async ({ name }) => name,
  };
  const review = async (url: string) => {
    const { gathered, held } = await gatherAll({
      url,
      deviceType: 'desktop',
      strategies: ['web-page-accessibility'],
      keepOpen: 'if-complete',
      values: {},
      lighthouse: () => Promise.reject(new Error('This benchmark runs no audits.')),
      fetch: () => Promise.reject(new Error('This benchmark fetches nothing but the page.')),
      browser,
      signal,
      log: () => {},
    });
    const [{ data, error } = {}] = gathered as { data?: unknown; error?: string }[];
    if (error !== undefined) throw new Error(error);
    const audit = data as PageAccessibility;
    const findings = completeFindings(accessibilityFindings(audit), url, false);
    const page = { url, deviceType: 'desktop' as const, browser, held };
    await lookAtPage(findings, page, { positions: true, screenshots, checksSelectors: false }, context);
    return audit.violations.map(({ id }) => id);
  };
  return { review: oneByOne(review), close: () => browser.close() };
}

const contenders: Record<string, () => Promise<Contender>> = {
  redpen: () => redpen('none'),
  'with-pictures': () => redpen('findings'),

  /** The lower bound: a warm browser opens the page and runs axe-core in it. */
  async bare() {
    const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const browser = await chromium.launch({
      executablePath: chromePath,
      env: process.env as Record<string, string>,
    });
    const review = async (url: string) => {
      const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
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
        return results.map(({ violations }) => ({ rules: violations.map(({ id }) => id) }));
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
  const reviewed: Reviewed[] = [];
  for (const url of urls) {
    const startedAt = performance.now();
    // A page that refreshes to another one may leave under the reviewer.
    const rules = await review(url).catch(() => ['not reviewed']);
    reviewed.push({ rules, ms: performance.now() - startedAt });
  }
  return reviewed;
};

/** Folder of a site whose pages are reviewed in place of the planted ones. */
const FOLDER = process.env.SITE;

/** Paths of the pages: those of the planted site, or as many pages of the folder, spread over it. */
function pagePaths(): string[] {
  if (!FOLDER) return Array.from({ length: PAGES }, (_, number) => `page/${number}`);
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .sort();
  const step = Math.max(1, files.length / PAGES);
  return Array.from(
    { length: Math.min(PAGES, files.length) },
    (_, index) => files[Math.floor(index * step)]!,
  );
}

/** What a contender sends to its parent. */
interface Report {
  /** Per page; one entry, their mean, for a contender that reviews them together. */
  times: number[];
  rules: string[][];
}

const [, file, name, site] = process.argv;
if (name && site?.startsWith('http:')) {
  const contender = await contenders[name]!();
  const urls = pagePaths().map((path) => new URL(encodeURI(path), site).href);
  // The first page is reviewed once as a warm-up, and again with the others.
  let startedAt = performance.now();
  await contender.review(urls.slice(0, 1));
  const firstMs = performance.now() - startedAt;
  startedAt = performance.now();
  const reviewed = await contender.review(urls);
  const spentMs = performance.now() - startedAt;
  const times = reviewed.flatMap(({ ms }) => ms ?? []);
  if (times.length === 0) times.push((spentMs - firstMs) / (urls.length - 1));
  process.send!({ times, rules: reviewed.map(({ rules }) => rules) } satisfies Report);
  await contender.close();
  process.disconnect();
} else {
  await compare();
}

async function compare() {
  const server = fork(new URL('./accessibility-site.ts', import.meta.url), FOLDER ? [FOLDER] : []);
  const { port } = await messageOf<{ port: number }>(server);
  const times: Record<string, number[]> = {};
  const rules: Record<string, string[][]> = {};
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
      const reported = await messageOf<Report>(child);
      clearInterval(watch);
      times[contender] = [...(times[contender] ?? []), ...reported.times];
      rules[contender] = reported.rules;
      console.log(
        `${contender}: ${at(reported.times, 0.5)} ms per page, p95 ${at(reported.times, 0.95)} ms${plantedFound(reported)}, ${(memory / 2 ** 20).toFixed(0)} MB at most`,
      );
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
  server.disconnect();
  const { bare } = times;
  if (!bare) return;
  for (const contender of names) {
    const [median, p95] = [0.5, 0.95].map((share) =>
      (at(times[contender]!, share) / at(bare, share)).toFixed(2),
    );
    const differing = rules[contender]!.flatMap((one, page) =>
      haveSame(one, rules.bare![page]!)
        ? []
        : [`  ${page}: ${one.join()} instead of ${rules.bare![page]!.join()}`],
    );
    if (process.env.VERBOSE) console.log(differing.join('\n'));
    const same = rules.bare!.length - differing.length;
    if (contender === 'redpen')
      for (const [name, share] of [
        ['median', 0.5],
        ['p95', 0.95],
      ] as const)
        report({
          name: `accessibility review of a page, ${name}`,
          value: at(times.redpen!, share),
          unit: 'ms',
          references: Object.fromEntries(
            names.filter((one) => one !== 'redpen').map((one) => [one, at(times[one]!, share)]),
          ),
        });
    console.log(
      `${contender}: ${median} times the lower bound, p95 ${p95} times; the rules of ${same} of ${rules.bare!.length} pages are equal`,
    );
  }
}

function plantedFound({ rules }: Report): string {
  if (FOLDER) return '';
  const planted = rules.flatMap((_, page) => plantedOn(page).map((rule) => [page, rule] as const));
  const found = planted.filter(([page, rule]) => rules[page]!.includes(rule)).length;
  return `, ${found} of ${planted.length} planted faults`;
}

function haveSame(some: string[], others: string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

/** The time that a share of the pages did not exceed, in whole milliseconds. */
function at(values: number[], share: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * share));
  return Math.round(values.toSorted((a, b) => a - b)[index]!);
}
