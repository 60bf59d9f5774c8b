import { fork } from 'node:child_process';
import { chromium } from 'playwright-core';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import type { PageContext, PageTask } from '../src/review/core/execution-strategy.ts';
import { screenshot } from '../src/review/services/screenshot-service.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { colorOf, PICTURES, ROW_PX } from './lazy-site.ts';
import { colorsAt } from './png-colors.ts';

const SHOTS = Number(process.env.SHOTS ?? 10);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const KINDS = ['native', 'scripted'];
const SIZE = { width: 1366, height: 768 };

type Capture = (url: string) => Promise<Uint8Array>;

/** Each is created once, and takes one screenshot as a warm-up before the measured ones. */
const contenders: Record<string, () => Promise<{ capture: Capture; close(): Promise<void> }>> = {
  async redpen() {
    const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
    const browser = createBrowser({ guard, log: () => {}, maxPages: 1 });
    return {
      async capture(url) {
        let screenshotBytes = new Uint8Array();
        const context = {
          browser,
          signal: new AbortController().signal,
          async storeArtifact({ bytes }: { bytes: Uint8Array }) {
            screenshotBytes = new Uint8Array(bytes);
            return 'kept';
          },
        } as unknown as PageContext;
        await screenshot.run(
          { url, deviceType: 'desktop', execution: {}, gathered: [] } as unknown as PageTask,
          context,
        );
        return screenshotBytes;
      },
      close: () => browser.close(),
    };
  },

  /** The lower bound: a warm browser scrolls through the page, waits for its pictures and takes the screenshot. */
  async bare() {
    const { path, env } = await findChromium({});
    const browser = await chromium.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      chromiumSandbox: false,
    });
    const context = await browser.newContext({ viewport: SIZE });
    return {
      async capture(url) {
        const page = await context.newPage();
        await page.goto(url);
        await page.evaluate(async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
            scrollTo(0, top);
            await frame();
          }
          await Promise.all(
            [...document.images].map(async (image) => {
              while (!image.complete || image.naturalWidth === 0) await frame();
            }),
          );
          scrollTo(0, 0);
        });
        const bytes = await page.screenshot({ fullPage: true });
        await page.close();
        return bytes;
      },
      close: () => browser.close(),
    };
  },

  async 'capture-website'() {
    const { path, env } = await findChromium({});
    Object.assign(process.env, env);
    // The computed name keeps tsc from resolving a package that only bench/ installs.
    const { default: captureWebsite } = await import(['capture-website'].join());
    return {
      capture: (url) =>
        captureWebsite.buffer(url, {
          ...SIZE,
          scaleFactor: 1,
          fullPage: true,
          preloadLazyContent: true,
          launchOptions: { executablePath: path, args: ['--no-sandbox'] },
        }),
      close: async () => {},
    };
  },
};

/** Number of complete pictures: the color of each is checked near its top, in its middle and near its bottom. */
function countCompletePictures(png: Uint8Array): number {
  const points = Array.from({ length: PICTURES }, (_, number) =>
    [10, 100, 190].map((y) => ({ x: 300, y: number * ROW_PX + y })),
  );
  const colors = colorsAt(png, points.flat()).map(String);
  return points.filter((_, number) =>
    colors.slice(number * 3, number * 3 + 3).every((color) => color === String(colorOf(number))),
  ).length;
}

interface Result {
  ms: number;
  isComplete: boolean;
  rssMb: number;
}

const [, file, contender, url] = process.argv;
if (contender && url) {
  const { capture, close } = await contenders[contender]!();
  const times: number[] = [];
  let isComplete = true;
  for (let shot = 0; shot <= SHOTS; shot++) {
    const startedAt = performance.now();
    const png = await capture(url);
    if (shot > 0) times.push(performance.now() - startedAt);
    isComplete &&= countCompletePictures(png) === PICTURES;
  }
  await close();
  process.send!({ ms: median(times), isComplete, rssMb: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
} else {
  await compare();
}

async function compare() {
  const names = process.env.CONTENDERS?.split(',') ?? Object.keys(contenders);
  const site = fork(new URL('./lazy-site.ts', import.meta.url));
  const { port } = await messageOf<{ port: number }>(site);
  for (const kind of KINDS) {
    const times: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const child = fork(file!, [name, `http://127.0.0.1:${port}/${kind}/`], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const { ms, isComplete, rssMb } = await messageOf<Result>(child);
        times[name] = [...(times[name] ?? []), ms];
        const verdict = isComplete ? 'complete' : 'NOT COMPLETE';
        console.log(
          `${kind}, ${name}: ${ms.toFixed(0)} ms per screenshot, ${verdict}, ${rssMb.toFixed(0)} MB`,
        );
      }
    }
    const ratio = (name: string, other: string) => (median(times[name]!) / median(times[other]!)).toFixed(2);
    console.log(`${kind}: ${ratio('redpen', 'bare')} times the lower bound`);
    report({
      name: `screenshot, ${kind}`,
      value: median(times.redpen!),
      unit: 'ms',
      references: Object.fromEntries(
        Object.keys(times).flatMap((name) => (name === 'redpen' ? [] : [[name, median(times[name]!)]])),
      ),
    });
    if (times['capture-website'])
      console.log(
        `${kind}: capture-website takes ${ratio('capture-website', 'redpen')} times as long as Redpen`,
      );
  }
  site.disconnect();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
