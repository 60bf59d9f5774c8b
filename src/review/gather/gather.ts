import type { Fields } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { type Browser, type LoadedPage, PageFailure, type View } from '../../outside/browser/browser.ts';
import type { Lighthouse } from '../../outside/lighthouse/lighthouse-report.ts';
import type { PromptPart } from '../../outside/models/models.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import type { FetchStrategy, GatherStrategy, PageStrategy } from './gather-strategy.ts';
import { type HeldPage, readAndHold } from './held-page.ts';
import { gatherNames, gatherStrategies } from './index.ts';
import { mergeViews } from './reading/merge-views.ts';
import { createFetchText } from './requests/fetch-text.ts';

const TOTAL_TIMEOUT_MS = 120_000;
const STRATEGY_TIMEOUT_MS = 60_000;
/** Errors of a strategy whose document is gone because the page navigated. */
const LEFT_DOCUMENT = /Execution context was destroyed|Cannot find context|page is navigating/;
const NEXT_DOCUMENT_MS = 15_000;
const OUT_OF_TIME = 'The time for gathering ran out.';

export interface GatherInput {
  url: string;
  /** The device of the run; a strategy's own option may override it. */
  deviceType: DeviceType;
  /** `contextGathering.strategies`. */
  strategies: readonly string[];
  /** `contextGathering.strategyOptions`. */
  strategyOptions?: Fields | undefined;
  fetch: SafeFetch;
  browser: Browser;
  lighthouse: Lighthouse;
  /** Values of templates. */
  values: Fields;
  signal: AbortSignal;
  /** Tenant for which responses may be cached; nothing is cached without it. */
  cacheScope?: string | undefined;
  log(line: LogLine): void;
  /** Limit for the whole phase, after which unfinished strategies fail. By default 120 000. */
  timeoutMs?: number;
  /**
   * Keeps the page open after all of its strategies succeeded. `if-complete`: only if the load fetches every kind of
   * resource anyway; `always`: the load fetches every kind of resource. Pages on two devices are not kept.
   */
  keepOpen?: 'if-complete' | 'always' | undefined;
  /** Strategies that can run; by default all. */
  available?: readonly GatherStrategy[];
}

export interface GatherResult {
  /** An entry for each strategy but `none`, in the order of `strategies`. */
  gathered: Gathered[];
  /** Reason why the page did not open, if a strategy needed it. */
  pageFailure?: PageFailure;
  /** The page that `keepOpen` asks for. The caller uses or releases it; it closes at the time limit of the phase. */
  held?: HeldPage;
}

type Outcome = { data: unknown; parts: PromptPart[] } | { error: unknown };
type PlannedStrategy = { strategy: PageStrategy; options: unknown; view: View };

/**
 * Runs the strategies that an agent asks for. A failed strategy has an error in its place, and the others go on; only
 * an abort of `signal` throws. Page strategies for one device share one load, which meets the strictest wait condition
 * among theirs.
 */
export async function gatherAll(input: GatherInput): Promise<GatherResult> {
  const available = input.available ?? gatherStrategies;
  const names = [...new Set(input.strategies)].filter((name) => name !== 'none');
  const limit = AbortSignal.timeout(input.timeoutMs ?? TOTAL_TIMEOUT_MS);
  const signal = AbortSignal.any([input.signal, limit]);
  const outcomes = new Map<string, Outcome>();
  const pageTasks: PlannedStrategy[] = [];
  const fetchTasks: Promise<void>[] = [];

  for (const name of names) {
    const strategy = available.find((one) => one.name === name);
    if (!strategy) {
      outcomes.set(name, { error: new Error(whyUnavailable(name)) });
      continue;
    }
    const options = strategy.options.safeParse(input.strategyOptions?.[name] ?? {});
    if (!options.success) {
      const [issue] = options.error.issues;
      const place = issue?.path.join('.');
      outcomes.set(name, { error: new Error(`Invalid options: ${place}: ${issue?.message}`) });
    } else if (strategy.kind === 'fetch') {
      fetchTasks.push(
        runFetch(strategy, options.data, input, signal).then((one) => void outcomes.set(name, one)),
      );
    } else {
      pageTasks.push({
        strategy,
        options: options.data,
        view: strategy.view(options.data, input.deviceType),
      });
    }
  }
  const order = (task: PlannedStrategy) => available.indexOf(task.strategy);
  pageTasks.sort((one, other) => order(one) - order(other));
  // A page that is held while the other device waits for a slot could wait forever.
  const isOneDevice = pageTasks.every(({ view }) => view.deviceType === input.deviceType);
  const groups = await Promise.all(
    (['desktop', 'mobile'] as const).map((deviceType) =>
      runGroup(
        pageTasks.filter(({ view }) => view.deviceType === deviceType),
        isOneDevice ? input : { ...input, keepOpen: undefined },
        signal,
        limit,
        outcomes,
      ),
    ),
  );
  await Promise.all(fetchTasks);
  input.signal.throwIfAborted();

  const pageFailure = groups.find(({ failure }) => failure !== undefined)?.failure;
  const held = groups.find((group) => group.held !== undefined)?.held;
  const gathered = names.map((name) => toGathered(name, outcomes.get(name)!, input, limit, pageFailure));
  return { gathered, ...(pageFailure && { pageFailure }), ...(held && { held }) };
}

async function runFetch(
  strategy: FetchStrategy<unknown>,
  options: unknown,
  { url, deviceType, fetch, lighthouse, values, cacheScope, log }: GatherInput,
  signal: AbortSignal,
): Promise<Outcome> {
  return runInTime(strategy, url, signal, (own) =>
    strategy.gather({
      url,
      options,
      fetch: (address, fetchOptions) => fetch(address, { signal: own, ...fetchOptions }),
      fetchText: createFetchText(fetch, own),
      values,
      deviceType,
      lighthouse,
      cacheScope,
      log,
      signal: own,
    }),
  );
}

/** Runs page strategies on one load and sets their outcomes. Returns the reason if the page did not open. */
async function runGroup(
  tasks: PlannedStrategy[],
  { url, browser, timeoutMs = TOTAL_TIMEOUT_MS, keepOpen }: GatherInput,
  signal: AbortSignal,
  limit: AbortSignal,
  outcomes: Map<string, Outcome>,
): Promise<{ failure?: PageFailure | undefined; held?: HeldPage }> {
  const merged = mergeViews(tasks.map((task) => task.view));
  if (!merged) return {};
  const view = keepOpen === 'always' ? { ...merged, skip: [], onlyReads: false } : merged;
  const hasData = ({ strategy }: PlannedStrategy) => 'data' in outcomes.get(strategy.name)!;
  let isOpen = false;
  /** A page on which every strategy runs out of time counts as one that did not open. */
  const unreadable = () =>
    limit.aborted && !tasks.some(hasData) ? new PageFailure('timeout', OUT_OF_TIME) : undefined;
  try {
    const page = await readAndHold(browser, url, view, { signal, timeoutMs }, async (loaded) => {
      // The error page of a server is not the page under review.
      if (loaded.status >= 400) {
        throw new PageFailure('navigation', `The page answered with HTTP ${loaded.status}.`);
      }
      isOpen = true;
      for (const task of tasks) {
        outcomes.set(task.strategy.name, await runOnPage(task, url, view.deviceType, loaded, signal));
      }
    });
    const isKept = keepOpen !== undefined && !view.skip?.length && tasks.every(hasData);
    if (isKept) return { held: page };
    await page.release();
    return { failure: unreadable() };
  } catch (error) {
    // The browser may crash under the strategies; finished ones keep their data.
    for (const { strategy } of tasks) {
      if (!outcomes.has(strategy.name)) outcomes.set(strategy.name, { error });
    }
    if (isOpen) return { failure: unreadable() };
    if (limit.aborted && isStop(error))
      return { failure: new PageFailure('timeout', OUT_OF_TIME, { cause: error }) };
    const failure =
      error instanceof PageFailure
        ? error
        : new PageFailure('navigation', messageOf(error), { cause: error });
    return { failure };
  }
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

/** Enforces the timeout of a strategy even if it ignores its signal. */
async function runInTime(
  strategy: GatherStrategy,
  url: string,
  signal: AbortSignal,
  gather: (own: AbortSignal) => Promise<unknown>,
): Promise<Outcome> {
  const own = AbortSignal.any([signal, AbortSignal.timeout(strategy.timeoutMs ?? STRATEGY_TIMEOUT_MS)]);
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(own.reason);
  own.addEventListener('abort', stop, { once: true });
  try {
    own.throwIfAborted();
    const data = await Promise.race([gather(own), stopped.promise]);
    return { data, parts: strategy.toPrompt(data, { url }) };
  } catch (error) {
    return { error: own.aborted ? own.reason : error };
  } finally {
    own.removeEventListener('abort', stop);
  }
}

function toGathered(
  name: string,
  outcome: Outcome,
  { url, log }: GatherInput,
  limit: AbortSignal,
  pageFailure: PageFailure | undefined,
): Gathered {
  if ('data' in outcome) return { name, ...outcome };
  const error = limit.aborted && isStop(outcome.error) ? OUT_OF_TIME : messageOf(outcome.error);
  // The caller reports a page that did not open, once for all strategies.
  const isOfPage = pageFailure && (outcome.error === pageFailure || outcome.error === pageFailure.cause);
  if (!isOfPage)
    log({ level: 'warn', message: `${name} could not be gathered: ${error}`, data: { url, strategy: name } });
  return { name, error, parts: [{ text: `${name} of ${url} could not be gathered: ${error}` }] };
}

const whyUnavailable = (name: string) =>
  gatherNames.includes(name)
    ? `This version cannot run the strategy ${name}.`
    : `There is no strategy ${name}.`;

const isStop = (error: unknown) =>
  error instanceof PageFailure
    ? error.kind === 'aborted' || error.kind === 'timeout'
    : error instanceof DOMException && /^(Timeout|Abort)Error$/.test(error.name);

/** The first line of the message, since Playwright appends its log. */
function messageOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It took too long.';
  const text = error instanceof Error ? error.message : String(error);
  return cutText(text.split('\n', 1)[0]!, 300);
}
