import type { PageLinks, PageScripts } from '../page/page-links.ts';

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
  /** True if the page would be a sample, but takes so long that a quicker one is worth waiting for. */
  isSlowSample(source: PageLinks): boolean;
  /** True if the scripts of the page are known to add no targets of fragments. */
  addsNoTargets(source: PageLinks): boolean;
}

/** Pages with the same scripts that are rendered before the others are spared. */
const SAMPLES = 3;
const MAX_FAILURES = 3;
/** One more page is rendered each time that the number of spared pages has grown this much. */
const RECHECK_GROWTH = 8;
const FIRST_RECHECK = 20;
/** Links above which a page is a slow sample: the same scripts mostly have quicker ones. */
const MANY_LINKS = 500;

/** Pages with the same scripts. */
interface Code {
  rendering: number;
  /** Samples that scripts left as they were. */
  equal: number;
  changes: boolean;
  waiting: (() => void)[];
}

/** Pages with the same scripts on which these find the same places to work on. */
interface Group {
  code: Code;
  rendering: number;
  equal: number;
  failures: number;
  /** True once scripts changed the links, or what the page says of itself. */
  changes: boolean;
  addsTargets: boolean;
  spared: number;
  recheckAt: number;
}

/**
 * Renders pages that are drawn by scripts or hold scripts that write. Of other pages with the same scripts it has a few
 * rendered; the rest is rendered only if scripts changed these. While pages are spared, further ones are tried.
 */
export function createRenderingChoice(onLateChange: (spared: number) => void = () => {}): RenderingChoice {
  const codes = new Map<string, Code>();
  const groups = new Map<string, Group>();

  const groupOf = ({ code: codeKey, group: key }: PageScripts): Group => {
    const known = groups.get(key);
    if (known) return known;
    const code = codes.get(codeKey) ?? { rendering: 0, equal: 0, changes: false, waiting: [] };
    codes.set(codeKey, code);
    const group: Group = {
      code,
      rendering: 0,
      equal: 0,
      failures: 0,
      changes: false,
      addsTargets: false,
      spared: 0,
      recheckAt: FIRST_RECHECK,
    };
    groups.set(key, group);
    return group;
  };

  return {
    async decide(source, signal) {
      const { scripts } = source;
      if (!scripts) return { render: false, reason: 'no-scripts' };
      const whole = (reason: ReadingReason): RenderingDecision => ({ render: true, reason, done: () => {} });
      if (scripts.isDrawn) return whole('drawn-by-scripts');
      if (scripts.writes) return whole('writing-scripts');
      const group = groupOf(scripts);
      while (!isSpared(group)) {
        signal?.throwIfAborted();
        if (group.changes) return whole('changing-scripts');
        if (wantsSample(group)) return sample(group, source, onLateChange);
        await new Promise<void>((resolve) => {
          group.code.waiting.push(resolve);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      if (group.spared >= group.recheckAt) {
        group.recheckAt *= RECHECK_GROWTH;
        return sample(group, source, onLateChange);
      }
      group.spared++;
      return { render: false, reason: 'inert-scripts' };
    },

    decideEarly(source) {
      const { scripts } = source;
      if (!scripts || scripts.isDrawn || scripts.writes) return undefined;
      const group = groupOf(scripts);
      return !group.changes && wantsSample(group) ? sample(group, source, onLateChange) : undefined;
    },

    isSlowSample({ scripts, links }) {
      if (!scripts || scripts.isDrawn || scripts.writes || links.length <= MANY_LINKS) return false;
      const group = groupOf(scripts);
      return !group.changes && group.equal + group.rendering < samplesOf(group);
    },

    addsNoTargets({ scripts }) {
      if (!scripts) return true;
      const group = groups.get(scripts.group);
      const mayBeSpared = !scripts.isDrawn && !scripts.writes;
      return mayBeSpared && group !== undefined && isSpared(group) && !group.addsTargets;
    },
  };
}

/** One sample shows what scripts do with other places if they left alone those of enough pages. */
const samplesOf = ({ code }: Group): number => (!code.changes && code.equal >= SAMPLES ? 1 : SAMPLES);
const isSpared = (group: Group): boolean => !group.changes && group.equal >= samplesOf(group);
/** True if a sample is wanted now; the samples that are being rendered may show that fewer suffice. */
function wantsSample(group: Group): boolean {
  const { code } = group;
  const isAwaited = !code.changes && code.equal < SAMPLES && code.equal + code.rendering >= SAMPLES;
  return !isAwaited && group.equal + group.rendering < samplesOf(group);
}

function sample(group: Group, source: PageLinks, onLateChange: (spared: number) => void): RenderingDecision {
  const { code } = group;
  group.rendering++;
  code.rendering++;
  return {
    render: true,
    reason: 'sample',
    done(rendered) {
      group.rendering--;
      code.rendering--;
      if (rendered) note(group, source, rendered, onLateChange);
      else if (++group.failures >= MAX_FAILURES) group.changes = true;
      for (const go of code.waiting.splice(0)) go();
    },
  };
}

function note(
  group: Group,
  source: PageLinks,
  rendered: PageLinks,
  onLateChange: (spared: number) => void,
): void {
  if (hasNewTargets(source, rendered)) group.addsTargets = true;
  if (isAlike(source, rendered)) {
    group.equal++;
    group.code.equal++;
    return;
  }
  if (!group.changes && group.spared > 0) onLateChange(group.spared);
  group.changes = true;
  group.code.changes = true;
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
