import { plural } from '../../../lib/text/plural.ts';
import type { DeviceType } from '../../../shapes/agents/run.ts';
import { type CheckerContext, linkCheckerOf, renderingChoiceOf } from '../link-checker-of-run.ts';
import type { PageLinks } from '../page-links.ts';
import { createPageStore } from '../page-store.ts';
import { loadLinks } from './rendered-links.ts';
import type { ReadingReason } from './rendering-choice.ts';

export type Reading =
  | { page: PageLinks }
  /** The page has to be read in a browser. `done` takes what came of it, and must be called. */
  | { page?: undefined; done(rendered: PageLinks | undefined): PageLinks | undefined };

/** Reads the pages of a run for agents that need their links alone, in a browser only where scripts may add some. */
export interface PageReader {
  read(url: string, signal: AbortSignal): Promise<Reading>;
  /** Loads a page in the browser, and keeps its links for `read`. Throws `PageFailure`. */
  render(url: string, signal: AbortSignal): Promise<PageLinks>;
  /** How many pages were read, and why in a browser, as a sentence with its numbers; undefined if none was read. */
  report(): { message: string; data: Record<string, number> } | undefined;
}

/** Bytes of the links of rendered pages that are kept from the crawl for the review. */
const KEPT_BYTES = 32 * 2 ** 20;

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

export function pageReaderOf(context: CheckerContext, deviceType: DeviceType): PageReader {
  return context.once(`page-reader ${deviceType}`, () => createPageReader(context, deviceType));
}

function createPageReader(context: CheckerContext, deviceType: DeviceType): PageReader {
  const checker = linkCheckerOf(context);
  const choice = renderingChoiceOf(context);
  const store = createPageStore({ openLinks: 0, packedBytes: KEPT_BYTES });
  const kept = new Map<string, () => PageLinks | undefined>();
  const counts = new Map<Reason, number>();

  const noted = (page: PageLinks, rendered: boolean, reason: Reason): PageLinks => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return { ...page, reading: { rendered, reason } };
  };

  return {
    async read(url, signal) {
      const known = kept.get(url)?.();
      if (known) return { page: noted(known, true, 'drawn-by-scripts') };
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

    async render(url, signal) {
      const page = await loadLinks(context.browser, url, deviceType, signal);
      kept.set(url, store.keep(page));
      return page;
    },

    report() {
      const all = [...counts].toSorted(([, one], [, other]) => other - one);
      const spared = all.filter(([reason]) => reason === 'no-scripts' || reason === 'inert-scripts');
      const rendered = all.filter((one) => !spared.includes(one));
      const total = sumOf(all);
      if (total === 0) return undefined;
      const list = (some: typeof all) => some.map(([reason, count]) => `${count} ${REASONS[reason]}`).join(', ');
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

const sumOf = (counts: (readonly [Reason, number])[]): number => counts.reduce((sum, [, count]) => sum + count, 0);
