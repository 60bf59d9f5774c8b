import { type Browser, type LoadedPage, PageFailure, type View } from '../../outside/browser/browser.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { PageStrategy } from './gather-strategy.ts';
import { type HeldPage, readAndHold } from './held-page.ts';
import { mergeViews } from './reading/merge-views.ts';
import { isStop, messageOf, OUT_OF_TIME, type Outcome, runInTime } from './run-strategy.ts';

/** Errors of a strategy whose document is gone because the page navigated. */
const LEFT_DOCUMENT = /Execution context was destroyed|Cannot find context|page is navigating/;
const NEXT_DOCUMENT_MS = 15_000;

export interface PlannedStrategy {
  strategy: PageStrategy;
  options: unknown;
  view: View;
  /** Place among all strategies: those that only read a page come before those that change it. */
  turn: number;
}

/**
 * `if-complete`: the page is kept open if the load fetches every kind of resource anyway; `always`: the load fetches every
 * kind of resource.
 */
export type KeepOpen = 'if-complete' | 'always' | undefined;

/** The wishes of one run for a load of a page. All of its strategies are for one device. */
export interface LoadRequest {
  tasks: readonly PlannedStrategy[];
  keepOpen: KeepOpen;
}

/** The part of a load that concerns one request. */
export interface LoadedPart {
  /** By strategy. */
  outcomes: Map<string, Outcome>;
  /** Address of the page that opened, after redirects. */
  landed?: string | undefined;
  /** The reason if the page did not open. */
  failure?: PageFailure | undefined;
  /** Present if the request asks for it, and all of its strategies succeeded. */
  held?: HeldPage | undefined;
}

export interface LoadLimits {
  signal: AbortSignal;
  /** Aborted when the time for gathering is over; part of `signal`. */
  limit: AbortSignal;
  timeoutMs: number;
}

/** Runs the strategies of several requests on one load of a page, each strategy with the same options once. */
export async function loadPage(
  browser: Browser,
  url: string,
  requests: readonly LoadRequest[],
  { signal, limit, timeoutMs }: LoadLimits,
): Promise<LoadedPart[]> {
  const all = requests.flatMap((one) => one.tasks).toSorted((one, other) => one.turn - other.turn);
  const tasks = new Map(all.map((task) => [keyOf(task), task]));
  const merged = mergeViews([...tasks.values()].map(({ view }) => view));
  if (!merged) return requests.map(() => ({ outcomes: new Map() }));
  const isWhole = requests.some(({ keepOpen }) => keepOpen === 'always');
  const view = isWhole ? { ...merged, skip: [], onlyReads: false } : merged;
  const outcomes = new Map<string, Outcome>();
  const hasData = (task: PlannedStrategy) => 'data' in outcomes.get(keyOf(task))!;
  const isHolder = ({ keepOpen, tasks }: LoadRequest) =>
    keepOpen !== undefined && !view.skip?.length && tasks.length > 0 && tasks.every(hasData);
  let landed: string | undefined;
  let held: HeldPage[] = [];
  let failure: PageFailure | undefined;
  /** A page on which every strategy runs out of time counts as one that did not open. */
  const unreadable = () =>
    limit.aborted && ![...tasks.values()].some(hasData) ? new PageFailure('timeout', OUT_OF_TIME) : undefined;
  try {
    held = await readAndHold(browser, url, view, { signal, timeoutMs }, async (loaded) => {
      // The error page of a server is not the page under review.
      if (loaded.status >= 400)
        throw new PageFailure('navigation', `The page answered with HTTP ${loaded.status}.`);
      landed = loaded.url;
      for (const [key, task] of tasks)
        outcomes.set(key, await runOnPage(task, url, view.deviceType, loaded, signal));
      return requests.filter(isHolder).length;
    });
    failure = unreadable();
  } catch (error) {
    // The browser may crash under the strategies; finished ones keep their data.
    for (const key of tasks.keys()) if (!outcomes.has(key)) outcomes.set(key, { error });
    failure = landed !== undefined ? unreadable() : failureOf(error, limit);
  }
  const holders = held.values();
  return requests.map((request) => ({
    outcomes: new Map(request.tasks.map((task) => [task.strategy.name, outcomes.get(keyOf(task))!])),
    landed,
    failure,
    held: held.length > 0 && isHolder(request) ? holders.next().value : undefined,
  }));
}

const keyOf = ({ strategy, options }: PlannedStrategy): string =>
  `${strategy.name} ${JSON.stringify(options)}`;

function failureOf(error: unknown, limit: AbortSignal): PageFailure {
  if (limit.aborted && isStop(error)) return new PageFailure('timeout', OUT_OF_TIME, { cause: error });
  return error instanceof PageFailure
    ? error
    : new PageFailure('navigation', messageOf(error), { cause: error });
}

function runOnPage(
  { strategy, options }: PlannedStrategy,
  url: string,
  deviceType: DeviceType,
  loaded: LoadedPage,
  signal: AbortSignal,
): Promise<Outcome> {
  const { page } = loaded;
  return runInTime(strategy, url, signal, async (own) => {
    const input = { url, deviceType, options, page, loaded, signal: own };
    try {
      return await strategy.gather(input);
    } catch (error) {
      if (own.aborted || !LEFT_DOCUMENT.test(messageOf(error))) throw error;
      await page.waitForLoadState('load', { timeout: NEXT_DOCUMENT_MS });
      return strategy.gather(input);
    }
  });
}
