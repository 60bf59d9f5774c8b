import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import type { PageContext, PageTask } from '../src/review/core/execution-strategy.ts';
import { screenshot } from '../src/review/services/screenshot-service.ts';
import { colourOf, PICTURES, ROW_PX } from './lazy-site.ts';
import { coloursAt } from './png-colours.ts';

const SHOTS = Number(process.env.SHOTS ?? 10);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const KINDS = ['native', 'scripted'];
const SIZE = { width: 1366, height: 768 };

type Shoot = (url: string) => Promise<Uint8Array>;

/** Each is made once, takes a picture to warm up, and then those that count. */
const contenders: Record<string, () => Promise<{ shoot: Shoot; close(): Promise<void> }>> = {
  async redpen() {
    const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
    const browser = createBrowser({ guard, log: () => {}, maxPages: 1 });
    return {
      async shoot(url) {
        let taken = new Uint8Array();
        const context = {
          browser,
          signal: new AbortController().signal,
          async storeArtifact({ bytes }: { bytes: Uint8Array }) {
            taken = new Uint8Array(bytes);
            return 'kept';
          },
        } as unknown as PageContext;
        await screenshot.run(
          { url, deviceType: 'desktop', execution: {}, gathered: [] } as unknown as PageTask,
          context,
        );
        return taken;
      },
      close: () => browser.close(),
    };
  },

  /** What it takes at least: a warm browser, and nothing done but what the picture needs. */
  async bare() {
    const { path, env } = await findChromium({});
    const browser = await chromium.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      chromiumSandbox: false,
    });
    const context = await browser.newContext({ viewport: SIZE });
    return {
      async shoot(url) {
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
    // By a name that is not resolved before it runs: the product's type check knows nothing of it.
    const { default: captureWebsite } = await import(['capture-website'].join());
    return {
      shoot: (url) =>
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

/** How many of the pictures are there in full: each is looked at near its top, in its middle and near its end. */
function picturesIn(png: Uint8Array): number {
  const places = Array.from({ length: PICTURES }, (_, number) =>
    [10, 100, 190].map((y) => ({ x: 300, y: number * ROW_PX + y })),
  );
  const colours = coloursAt(png, places.flat()).map(String);
  return places.filter((_, number) =>
    colours.slice(number * 3, number * 3 + 3).every((colour) => colour === String(colourOf(number))),
  ).length;
}

interface Result {
  ms: number;
  complete: boolean;
  rssMb: number;
}

const [, file, contender, url] = process.argv;
if (contender && url) {
  const { shoot, close } = await contenders[contender]!();
  const times: number[] = [];
  let complete = true;
  for (let shot = 0; shot <= SHOTS; shot++) {
    const begun = performance.now();
    const png = await shoot(url);
    if (shot > 0) times.push(performance.now() - begun);
    complete &&= picturesIn(png) === PICTURES;
  }
  await close();
  process.send!({ ms: median(times), complete, rssMb: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
} else {
  await compare();
}

async function compare() {
  const names = process.env.CONTENDERS?.split(',') ?? Object.keys(contenders);
  const site = fork(new URL('./lazy-site.ts', import.meta.url));
  const [{ port }] = (await once(site, 'message')) as [{ port: number }];
  for (const kind of KINDS) {
    const times: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const child = fork(file!, [name, `http://127.0.0.1:${port}/${kind}/`], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const [{ ms, complete, rssMb }] = (await once(child, 'message')) as [Result];
        times[name] = [...(times[name] ?? []), ms];
        const verdict = complete ? 'complete' : 'NOT COMPLETE';
        console.log(`${kind}, ${name}: ${ms.toFixed(0)} ms a picture, ${verdict}, ${rssMb.toFixed(0)} MB`);
      }
    }
    const ratio = (name: string, other: string) => (median(times[name]!) / median(times[other]!)).toFixed(2);
    console.log(`${kind}: ${ratio('redpen', 'bare')} times the bare limit`);
    if (times['capture-website'])
      console.log(`${kind}: capture-website takes ${ratio('capture-website', 'redpen')} times ours`);
  }
  site.disconnect();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
