import { untilAborted } from '../../lib/time.ts';
import type { SafeFetch } from '../../outside/outside.ts';
import { fragmentOf, hasFragment, isScriptRoute, withoutFragment } from './address.ts';
import { createAsker, DEFAULT_PACE, type Pace } from './ask-hosts.ts';
import { type Fault, judge } from './fault.ts';
import type { Hop } from './fetch-once.ts';
import { type Reached, reach } from './follow-redirects.ts';
import { createGate } from './host-throttle.ts';
import type { PageLink, PageLinks } from './page-links.ts';

export interface Checker {
  /** Asks an address and reads the page or stylesheet behind it. */
  read(url: string, signal?: AbortSignal): Promise<Reached>;
  /**
   * What is wrong with a link, if anything. `wantContent` spares a second question where another link of
   * the page leads into the same address.
   */
  check(
    link: Pick<PageLink, 'url' | 'valid' | 'kind'>,
    signal?: AbortSignal,
    wantContent?: boolean,
  ): Promise<Fault | undefined>;
  /** Takes a page that was read elsewhere, so that links to it need not ask for it. */
  learn(page: PageLinks): void;
}

export interface CheckerOptions {
  fetch: SafeFetch;
  /** Reads a page in a browser; asked only where scripts may have added the fragment that is missing. */
  render?(url: string, signal: AbortSignal): Promise<PageLinks>;
  /** Told of each address that the outbound guard keeps from being asked. */
  onUnchecked?(url: string): void;
  pace?: Partial<Pace>;
  total?: number;
  perHost?: number;
}

interface Asked {
  answer: Promise<Hop>;
  withContent: boolean;
  waiting: number;
}

/** Made once a run: each address is asked once, however many pages link to it. */
export function createChecker({
  fetch,
  render,
  onUnchecked,
  pace,
  total = 64,
  perHost = 16,
}: CheckerOptions): Checker {
  const ask = createAsker({
    fetch,
    gate: createGate({ total, perHost }),
    pace: { ...DEFAULT_PACE, ...pace },
  });
  const asked = new Map<string, Asked>();
  const rendered = new Map<string, Set<string>>();
  const targets = new WeakMap<PageLinks, Set<string>>();
  const unchecked = new Set<string>();
  const rendering = new Map<string, Promise<void>>();

  /** Shared by all who wait; an address that nobody waits for any more is not asked. */
  async function askShared(url: string, wantContent: boolean, signal?: AbortSignal): Promise<Hop> {
    let entry = asked.get(url);
    if (entry && wantContent && !entry.withContent && (await lacksContent(entry))) {
      const latest = asked.get(url);
      entry = latest === entry ? undefined : latest;
    }
    entry ??= begin(url, wantContent);
    entry.waiting++;
    try {
      return await untilAborted(entry.answer, signal);
    } finally {
      entry.waiting--;
    }
  }

  function begin(url: string, withContent: boolean): Asked {
    const entry = { withContent, waiting: 0 } as Asked;
    entry.answer = ask(url, { wantContent: withContent, isWanted: () => entry.waiting > 0 });
    entry.answer.catch(() => {
      if (asked.get(url) === entry) asked.delete(url);
    });
    asked.set(url, entry);
    return entry;
  }

  function reachShared(url: string, wantContent: boolean, signal?: AbortSignal): Promise<Reached> {
    return reach(url, (hopUrl, cookie) =>
      cookie === undefined
        ? askShared(hopUrl, wantContent, signal)
        : ask(hopUrl, { wantContent, cookie, isWanted: () => !signal?.aborted }),
    );
  }

  async function lacksFragment(reached: Reached, fragment: string, signal?: AbortSignal) {
    const { final } = reached;
    if (isScriptRoute(fragment)) return undefined;
    const seen = rendered.get(final.url);
    if (seen) return hasFragment(fragment, seen) ? undefined : { certain: true };
    if (!final.page || final.cut || hasFragment(fragment, targetsOf(final.page))) return undefined;
    if (!final.page.scripted) return { certain: true };
    await renderOnce(final.url, signal);
    const drawn = rendered.get(final.url);
    if (!drawn) return { certain: false };
    return hasFragment(fragment, drawn) ? undefined : { certain: true };
  }

  function targetsOf(page: PageLinks): Set<string> {
    const known = targets.get(page) ?? new Set(page.fragments);
    targets.set(page, known);
    return known;
  }

  async function renderOnce(url: string, signal?: AbortSignal): Promise<void> {
    if (!render || rendered.has(url)) return;
    const keep = (page: PageLinks) => void rendered.set(url, new Set(page.fragments));
    const forget = () => void rendering.delete(url);
    const running =
      rendering.get(url) ?? render(url, signal ?? new AbortController().signal).then(keep, forget);
    rendering.set(url, running);
    await untilAborted(running, signal);
  }

  return {
    read: (url, signal) => reachShared(withoutFragment(url), true, signal),

    async check(link, signal, wantContent = false) {
      if (!link.valid) return { type: 'invalid-url', redirects: [], finalUrl: link.url };
      const url = withoutFragment(link.url);
      const fragment = link.kind === 'anchor' || link.kind === 'area' ? fragmentOf(link.url) : '';
      const needsContent = wantContent || fragment !== '';
      const reached = await reachShared(url, needsContent && !rendered.has(url), signal);
      if (reached.final.failure === 'refused-host' && !unchecked.has(url)) {
        unchecked.add(url);
        onUnchecked?.(url);
      }
      const fault = judge(reached, url, link.kind);
      if (fault || fragment === '') return fault;
      const missing = await lacksFragment(reached, reached.fragment ?? fragment, signal);
      if (!missing) return undefined;
      return { type: 'fragment', redirects: reached.redirects, finalUrl: reached.final.url, ...missing };
    },

    learn(page) {
      if (!page.scripted) rendered.set(withoutFragment(page.finalUrl), new Set(page.fragments));
    },
  };
}

async function lacksContent(entry: Asked): Promise<boolean> {
  const hop = await entry.answer.catch(() => undefined);
  return (
    hop === undefined || (hop.status !== undefined && hop.status < 300 && !hop.page && !hop.css && !hop.cut)
  );
}
