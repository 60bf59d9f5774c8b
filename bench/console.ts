import { fakeSite } from '../test/fakes/site.ts';
import { endFileSteps } from '../test/run/at-end.ts';
import { startService } from '../test/service/service.ts';
import { closeTestBrowser } from '../test/service/test-browser.ts';
import { createConsoleStage } from '../test/web/console-stage.ts';
import { measureEvents } from './console-events.ts';
import { measureInteractions } from './console-interactions.ts';
import { measureKeys } from './console-keys.ts';
import { measureScores } from './console-lighthouse.ts';
import { measureLoads, measureSizes } from './console-loads.ts';
import { measureStarts } from './console-starts.ts';

// Measures the built console in Chromium, with the service on the same processors: the time until a page can be used, over
// loopback and over a slow line on a slow machine; the largest paint; the answers to keys and clicks in a review and an inbox
// of 5,000 findings; what the browser has to load; the scores of Lighthouse; and a service that starts. The reference of the
// load is the reference page of the API, /docs. PARTS selects some of the parts.
const PARTS = new Set(
  (process.env.PARTS ?? 'loads,sizes,keys,interactions,events,lighthouse,starts').split(','),
);
const FINDINGS = Number(process.env.FINDINGS ?? 5_000);

const PATHS = [
  '/',
  '/reviews',
  '/findings',
  '/agents',
  '/documents',
  '/people',
  '/memory',
  '/webhooks',
  '/keys',
  '/settings',
  '/editor',
];

/** A site with this many broken links, on pages of 100. */
async function brokenSite(findings: number) {
  const pages: Record<string, string> = {};
  const count = Math.ceil(findings / 100);
  for (let index = 0; index < count; index++) {
    const links = Array.from(
      { length: 100 },
      (_, link) => `<a href="/gone/${index}/${link}">Link ${link}</a>`,
    );
    const next = index + 1 < count ? `<a href="/${index + 1}">Next page</a>` : '';
    pages[index === 0 ? '/' : `/${index}`] =
      `<!doctype html><title>${index}</title><h1>${index}</h1>${next}${links.join(' ')}`;
  }
  return await fakeSite(pages);
}

const site = await brokenSite(FINDINGS);
const stage = await createConsoleStage(await startService({ REDPEN_ALLOW_HOSTS: new URL(site.url).host }));
try {
  const { page, call, goTo, apiKeyId } = await stage.open();
  const { reviewId } = await call('/v2/reviews/run', {
    urls: [`${site.url}/`],
    agents: ['broken-links'],
    crossPageExecute: true,
    maxUrlsToProcess: Math.ceil(FINDINGS / 100),
  });
  for (let ended = false; !ended; ) {
    const { review } = await call('/v2/reviews/get', { reviewId, waitMs: 20_000 });
    ended = review.status === 'ended';
  }
  const { url } = stage.service;
  const startPage = `${url}/console/k/${apiKeyId}`;
  const reviewPath = `/reviews/${reviewId}`;
  const browser = page.context().browser()!;
  const parts: Record<string, () => Promise<void>> = {
    loads: () => measureLoads(browser, page, startPage, `${url}/docs`),
    sizes: () => measureSizes(page, [...PATHS, reviewPath], goTo),
    keys: () => measureKeys(page, reviewPath, goTo),
    interactions: () => measureInteractions(page, reviewPath, goTo),
    events: () => measureEvents(page, call, goTo),
    lighthouse: () => measureScores(page, startPage),
    starts: () => measureStarts(browser),
  };
  for (const [name, measure] of Object.entries(parts)) if (PARTS.has(name)) await measure();
} finally {
  await endFileSteps();
  await closeTestBrowser();
  await site.close();
}
