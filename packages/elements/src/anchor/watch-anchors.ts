import type { Anchor, Resolution } from './anchor.ts';
import { type PageState, readState, resolve } from './resolve.ts';
import { inSlices } from './slices.ts';

/** An anchor to be found on the page again and again. */
export interface Wanted {
  id: string;
  anchor: Anchor;
  /** Where it was on the page, in pixels from the top; those near the window are found first. */
  top: number | undefined;
}

export type Resolutions = ReadonlyMap<string, Resolution>;

export interface AnchorWatch {
  /** Replaces the anchors. */
  want(wanted: readonly Wanted[]): void;
  /** Milliseconds that each slice of the last pass has held the page. */
  readonly slices: readonly number[];
  stop(): void;
}

/** Attributes that show, hide or identify elements. */
const WATCHED = ['class', 'style', 'hidden', 'open', 'id', 'href', 'src', 'alt', 'role', 'aria-label'];
const CALM_MS = 120;
/** A page that changes all the time takes no more than this share of its time. */
const MOST_TIME = 0.05;
const REPORT_EVERY = 50;

/**
 * Finds anchors on the page now and whenever it changes, in short slices. Calls `report` with what is found: those near
 * the window first, and all at last; `isWhole` is false in between.
 */
export function watchAnchors(
  report: (found: Resolutions, isWhole: boolean) => void,
  isOwn: (node: Node) => boolean = () => false,
): AnchorWatch {
  let wanted: readonly Wanted[] = [];
  let found = new Map<string, Resolution>();
  let pass: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let slices: number[] = [];
  let observed = new WeakSet<Node>();
  let nextAt = 0;

  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(begin, Math.max(CALM_MS, nextAt - performance.now()));
  };
  const observer = new MutationObserver((records) => {
    if (records.every(({ target }) => isOwn(target))) return;
    later();
  });
  const observe = (root: Node) => {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: WATCHED,
    });
  };

  function begin(): void {
    clearTimeout(timer);
    pass?.abort();
    pass = new AbortController();
    const { signal } = pass;
    slices = [];
    void inSlices(findAll(signal), signal, slices).then(() => {
      if (signal.aborted) return;
      const tookMs = slices.reduce((sum, one) => sum + one, 0);
      nextAt = performance.now() + tookMs / MOST_TIME;
    });
  }

  function* findAll(signal: AbortSignal): Generator<undefined, void, undefined> {
    if (wanted.length === 0) {
      found = new Map();
      return report(found, true);
    }
    const state: PageState = yield* readState();
    for (const root of state.roots) observe(root);
    const next = new Map<string, Resolution>();
    for (const { id, anchor } of nearestFirst(wanted, found)) {
      next.set(id, yield* resolve(anchor, state));
      if (next.size % REPORT_EVERY === 0 && next.size < wanted.length && !signal.aborted)
        report(new Map([...found, ...next]), false);
      yield;
    }
    if (signal.aborted) return;
    found = next;
    report(found, true);
  }

  return {
    want(given) {
      wanted = given;
      begin();
    },
    get slices() {
      return slices;
    },
    stop() {
      clearTimeout(timer);
      pass?.abort();
      observer.disconnect();
      observed = new WeakSet();
    },
  };
}

function nearestFirst(wanted: readonly Wanted[], found: Resolutions): Wanted[] {
  const middle = scrollY + innerHeight / 2;
  const distanceOf = ({ id, top }: Wanted): number => {
    const place = found.get(id);
    const now = place?.element.isConnected
      ? (place.range ?? place.element).getBoundingClientRect().top + scrollY
      : top;
    return now === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - middle);
  };
  return wanted
    .map((one) => ({ one, distance: distanceOf(one) }))
    .sort((a, b) => a.distance - b.distance || 0)
    .map(({ one }) => one);
}
