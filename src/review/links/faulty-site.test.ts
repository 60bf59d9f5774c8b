import { expect, test } from 'vitest';
import { type FaultySite, startFaultySite } from '../../../test/fakes/faulty-site.ts';
import { expectKnownRules } from '../../../test/reviews/known-rules.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { crawl } from './crawl.ts';
import { createChecker } from './link-checker.ts';
import { findingOf } from './link-findings.ts';
import type { PageLinks } from './page/page-links.ts';
import { faultsOf } from './review-links.ts';

const TIMING = { timeoutMs: 600, patientTimeoutMs: 800, retryDelayMs: 20, maxWaitMs: 2_000 };

/** True for requests that are never answered. */
const hangs = (url: string, method: string | undefined) =>
  url.includes('/hang/') || (method === 'HEAD' && url.endsWith('/head/hang'));

/** Shortens the timeout only for answers that never end, so that no other times out on a busy machine. */
const patient =
  (fetch: SafeFetch): SafeFetch =>
  (url, options) => {
    if (hangs(url, options?.method)) return fetch(url, options);
    return fetch(url, { ...options, timeoutMs: url.includes('/drip/') ? 3_000 : 60_000 });
  };

async function reviewSite(site: FaultySite, fetch: ReturnType<typeof createSafeFetch>) {
  const checker = createChecker({ fetch: patient(fetch), timing: TIMING });
  const pages: PageLinks[] = [];
  const isPage = new Set(site.pages);
  const crawled = await crawl({
    seedUrl: site.seedUrl,
    maxPages: 1_000,
    checker,
    onPage: (page) => isPage.has(page.finalUrl) && pages.push(page),
  });
  const found = await Promise.all(
    pages.map(async (page) => {
      const faults = await faultsOf(page, checker);
      await expectKnownRules(
        'broken-links',
        faults.map((fault) => findingOf(fault)),
      );
      return faults.map((fault) => `${page.finalUrl} -> ${findingOf(fault).url}`);
    }),
  );
  return { crawled, found: found.flat() };
}

test('every planted fault of a site is found, and no other', async () => {
  const site = await startFaultySite();
  const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.0/8'] }), { userAgent: 'test' });
  try {
    const { crawled, found } = await reviewSite(site, fetch);
    const short = (list: string[]) => list.map((line) => line.replaceAll(site.seedUrl, '/')).sort();
    expect(crawled.urls).toEqual(expect.arrayContaining(site.pages));
    expect(short(found.filter((line) => !site.expected.includes(line)))).toEqual([]);
    expect(short(site.expected.filter((line) => !found.includes(line)))).toEqual([]);
    expect(found.length).toBe(new Set(found).size);
    expect(found.length).toBeGreaterThan(150);
  } finally {
    await fetch.close();
    await site.close();
  }
});
