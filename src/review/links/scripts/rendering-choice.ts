import type { PageLinks } from '../page-links.ts';

export type ReadingReason =
  | 'no-scripts'
  | 'inert-scripts'
  | 'drawn-by-scripts'
  | 'writing-scripts'
  | 'sample'
  | 'changing-scripts';

export type RenderingDecision =
  | { render: false; reason: ReadingReason }
  /** `done` takes the rendered page, or undefined if rendering failed; it must be called. */
  | { render: true; reason: ReadingReason; done(rendered: PageLinks | undefined): void };

/** Decides which pages of a run need a browser for their links. */
export interface RenderingChoice {
  /** Waits for the samples of the page's scripts if they are being rendered. */
  decide(source: PageLinks, signal?: AbortSignal): Promise<RenderingDecision>;
  /** Decides on a page that was found before its turn: undefined unless it is a sample, which is better taken early. */
  decideEarly(source: PageLinks): RenderingDecision | undefined;
  /** True if the scripts of the page are known to add no targets of fragments. */
  addsNoTargets(source: PageLinks): boolean;
}

/** Pages with the same scripts that are rendered before the others are spared. */
const SAMPLES = 3;
const MAX_FAILURES = 3;
/** One more page is rendered each time that the number of spared pages has grown this much. */
const RECHECK_GROWTH = 4;
const FIRST_RECHECK = 10;

interface Group {
  rendering: number;
  /** Samples that scripts left as they were. */
  equal: number;
  failures: number;
  /** True once scripts changed the links, or what the page says of itself. */
  changes: boolean;
  addsTargets: boolean;
  spared: number;
  recheckAt: number;
  waiting: (() => void)[];
}

/**
 * Renders pages that are drawn by scripts or hold scripts that write. Of other pages with the same scripts it has a few
 * rendered; the rest is rendered only if scripts changed these. While pages are spared, further ones are tried.
 */
export function createRenderingChoice(onLateChange: (spared: number) => void = () => {}): RenderingChoice {
  const groups = new Map<string, Group>();

  const groupOf = (key: string): Group => {
    const known = groups.get(key);
    if (known) return known;
    const group: Group = {
      rendering: 0,
      equal: 0,
      failures: 0,
      changes: false,
      addsTargets: false,
      spared: 0,
      recheckAt: FIRST_RECHECK,
      waiting: [],
    };
    groups.set(key, group);
    return group;
  };

  const sample = (group: Group, source: PageLinks): RenderingDecision => {
    group.rendering++;
    return {
      render: true,
      reason: 'sample',
      done(rendered) {
        group.rendering--;
        if (rendered) note(group, source, rendered);
        else if (++group.failures >= MAX_FAILURES) group.changes = true;
        for (const go of group.waiting.splice(0)) go();
      },
    };
  };

  const note = (group: Group, source: PageLinks, rendered: PageLinks) => {
    if (hasNewTargets(source, rendered)) group.addsTargets = true;
    if (isAlike(source, rendered)) group.equal++;
    else if (!group.changes) {
      group.changes = true;
      if (group.spared > 0) onLateChange(group.spared);
    }
  };

  return {
    async decide(source, signal) {
      const { scripts } = source;
      if (!scripts) return { render: false, reason: 'no-scripts' };
      const whole = (reason: ReadingReason): RenderingDecision => ({ render: true, reason, done: () => {} });
      if (scripts.isDrawn) return whole('drawn-by-scripts');
      if (scripts.writes) return whole('writing-scripts');
      const group = groupOf(scripts.group);
      for (;;) {
        signal?.throwIfAborted();
        if (group.changes) return whole('changing-scripts');
        if (group.equal >= SAMPLES) break;
        if (group.equal + group.rendering < SAMPLES) return sample(group, source);
        await new Promise<void>((resolve) => {
          group.waiting.push(resolve);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      if (group.spared >= group.recheckAt) {
        group.recheckAt *= RECHECK_GROWTH;
        return sample(group, source);
      }
      group.spared++;
      return { render: false, reason: 'inert-scripts' };
    },

    decideEarly(source) {
      const { scripts } = source;
      if (!scripts || scripts.isDrawn || scripts.writes) return undefined;
      const group = groupOf(scripts.group);
      const isWanted = !group.changes && group.equal + group.rendering < SAMPLES;
      return isWanted ? sample(group, source) : undefined;
    },

    addsNoTargets({ scripts }) {
      if (!scripts) return true;
      const group = groups.get(scripts.group);
      const isSpared = !scripts.isDrawn && !scripts.writes;
      return (
        isSpared && group !== undefined && group.equal >= SAMPLES && !group.changes && !group.addsTargets
      );
    },
  };
}

/** True if scripts added or removed no address, and left alone what the page says of itself. */
function isAlike(source: PageLinks, rendered: PageLinks): boolean {
  return keysOf(source) === keysOf(rendered);
}

function keysOf({ finalUrl, links, contacts = [], head, canonical }: PageLinks): string {
  const addresses = new Set([...links, ...contacts].map(({ kind, url }) => `${kind} ${url}`));
  const { title, description, lang, noindex, canonicals = [], alternates = [] } = head ?? {};
  return JSON.stringify([
    finalUrl.replace(/#.*$/s, ''),
    [...addresses].sort(),
    [title, description, lang, noindex, canonical],
    [...canonicals, ...alternates.map(({ code, url }) => `${code} ${url}`)].sort(),
  ]);
}

function hasNewTargets({ fragments }: PageLinks, rendered: PageLinks): boolean {
  const known = new Set(fragments);
  return rendered.fragments.some((fragment) => !known.has(fragment));
}
