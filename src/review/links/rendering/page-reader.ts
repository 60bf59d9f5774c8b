import { plural } from '../../../lib/text/plural.ts';
import { untilAborted } from '../../../lib/time.ts';
import type { DeviceType } from '../../../shapes/agents/run.ts';
import type { PageLinks } from '../page/page-links.ts';
import { createPageStore } from '../page-store.ts';
import { type CheckerContext, linkCheckerOf, renderingChoiceOf, siteOf } from './link-checker-of-run.ts';
import { loadLinks } from './rendered-links.ts';
import type { ReadingReason } from './rendering-choice.ts';

export type Reading =
  | { page: PageLinks }
  /** The page has to be read in a browser. `done` takes what came of it, and must be called. */
  | { page?: undefined; done(rendered: PageLinks | undefined): PageLinks | undefined };

/** Reads the pages of a run for agents that need their links alone, in a browser only where scripts may add some. */
export interface PageReader {
  read(url: string, signal: AbortSignal): Promise<Reading>;
  /** Begins to render a page that was found and is to be read later, if it is a sample of its scripts. */
  foresee(source: PageLinks, url: string, signal: AbortSignal): void;
  /** Loads a page in the browser, unless another crawl did, and keeps its links for `read`. Throws `PageFailure`. */
  render(url: string, signal: AbortSignal): Promise<PageLinks>;
  /** The numbers of pages that were read, and the reasons for a browser, as a sentence; undefined if none was read. */
  report(): { message: string; data: Record<string, number> } | undefined;
}

/** Bytes of the links of rendered pages that are kept from the crawl for the review. */
const KEPT_BYTES = 32 * 2 ** 20;

/** Pages among which a quicker sample of the same scripts shows up, if there is one. */
const SLOW_AFTER = 50;

type Reason = ReadingReason | 'not-fetched';

const REASONS: Record<Reason, string> = {
  'no-scripts': 'without scripts',
  'inert-scripts': 'with scripts that change no links',
  'drawn-by-scripts': 'drawn by scripts',
  'writing-scripts': 'with scripts that write links',
  sample: 'as samples of their scripts',
  'changing-scripts': 'with scripts that change links',
  'not-fetched': 'that could not be read without a browser',
};

export function pageReaderOf(ofRun: CheckerContext, deviceType: DeviceType): PageReader {
  const context = siteOf(ofRun);
  return context.once(`page-reader ${deviceType}`, () => createPageReader(context, deviceType));
}

function createPageReader(context: CheckerContext, deviceType: DeviceType): PageReader {
  const checker = linkCheckerOf(context);
  const choice = renderingChoiceOf(context);
  const store = createPageStore({ openLinks: 0, packedBytes: KEPT_BYTES });
  const kept = new Map<string, { reason: Reason; read(): PageLinks | undefined }>();
  const foreseen = new Map<string, Promise<void>>();
  const rendering = new Map<string, Promise<PageLinks>>();
  /** Addresses of pages that a crawl has found. */
  const discovered = new Set<string>();
  const counts = new Map<Reason, number>();
  /** Slow samples, which wait until enough pages after them were found. */
  const slow: { source: PageLinks; url: string; since: number }[] = [];

  const noted = (page: PageLinks, rendered: boolean, reason: Reason): PageLinks => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return { ...page, reading: { rendered, reason } };
  };

  const renderAndKeep = async (url: string, reason: Reason, signal: AbortSignal): Promise<PageLinks> => {
    const page = await loadLinks(context.browser, url, deviceType, signal);
    kept.set(url, { reason, read: store.keep(page) });
    return page;
  };

  const renderEarly = (source: PageLinks, url: string, signal: AbortSignal) => {
    const decision = choice.decideEarly(source);
    if (!decision?.render) return;
    const done = renderAndKeep(url, decision.reason, signal)
      .then(decision.done, () => decision.done(undefined))
      .finally(() => foreseen.delete(url));
    foreseen.set(url, done);
  };

  return {
    async read(url, signal) {
      await untilAborted(foreseen.get(url) ?? Promise.resolve(), signal);
      const early = kept.get(url);
      const known = early?.read();
      if (early && known) return { page: noted(known, true, early.reason) };
      const source = (await checker.read(url, signal)).final.page;
      const decision = source && (await choice.decide(source, signal));
      if (decision && !decision.render) return { page: noted(source, false, decision.reason) };
      const reason = decision?.reason ?? 'not-fetched';
      return {
        done(rendered) {
          decision?.done(rendered);
          return rendered && noted(rendered, true, reason);
        },
      };
    },

    foresee(source, url, signal) {
      // Several crawls of a review may find the same page.
      if (discovered.has(url)) return;
      discovered.add(url);
      const found = discovered.size;
      if (choice.isSlowSample(source)) slow.push({ source, url, since: found });
      else renderEarly(source, url, signal);
      const [first] = slow;
      if (!first || found - first.since < SLOW_AFTER) return;
      slow.shift();
      renderEarly(first.source, first.url, signal);
    },

    async render(url, signal) {
      const known = kept.get(url)?.read() ?? rendering.get(url);
      if (known) return await known;
      const rendered = renderAndKeep(url, 'drawn-by-scripts', signal).finally(() => rendering.delete(url));
      rendering.set(url, rendered);
      return await rendered;
    },

    report() {
      const all = [...counts].toSorted(([, one], [, other]) => other - one);
      const spared = all.filter(([reason]) => reason === 'no-scripts' || reason === 'inert-scripts');
      const rendered = all.filter((one) => !spared.includes(one));
      const total = sumOf(all);
      if (total === 0) return undefined;
      const list = (some: typeof all) =>
        some.map(([reason, count]) => `${count} ${REASONS[reason]}`).join(', ');
      const shown = sumOf(rendered);
      return {
        message: [
          `${shown} of ${plural(total, 'page')} ${shown === 1 ? 'was' : 'were'} read in a browser${shown > 0 ? `: ${list(rendered)}` : ''}.`,
          ...(spared.length > 0 ? [`The others needed none: ${list(spared)}.`] : []),
        ].join(' '),
        data: { pages: total, rendered: shown, ...Object.fromEntries(all) },
      };
    },
  };
}

const sumOf = (counts: (readonly [Reason, number])[]): number =>
  counts.reduce((sum, [, count]) => sum + count, 0);
