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
  /** Strategies that can run; by default all. */
  available?: readonly GatherStrategy[];
}

export interface GatherResult {
  /** An entry for each strategy but `none`, in the order of `strategies`. */
  gathered: Gathered[];
  /** Reason why the page did not open, if a strategy needed it. */
  pageFailure?: PageFailure;
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
  const failures = await Promise.all(
    (['desktop', 'mobile'] as const).map((deviceType) =>
      runGroup(
        pageTasks.filter(({ view }) => view.deviceType === deviceType),
        input,
        signal,
        limit,
        outcomes,
      ),
    ),
  );
  await Promise.all(fetchTasks);
  input.signal.throwIfAborted();

  const pageFailure = failures.find((failure) => failure !== undefined);
  const gathered = names.map((name) => toGathered(name, outcomes.get(name)!, input, limit, pageFailure));
  return { gathered, ...(pageFailure && { pageFailure }) };
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
  { url, browser, timeoutMs = TOTAL_TIMEOUT_MS }: GatherInput,
  signal: AbortSignal,
  limit: AbortSignal,
  outcomes: Map<string, Outcome>,
): Promise<PageFailure | undefined> {
  const view = mergeViews(tasks.map((task) => task.view));
  if (!view) return undefined;
  let isOpen = false;
  /** A page on which every strategy runs out of time counts as one that did not open. */
  const unreadable = () => {
    const isRead = tasks.some(({ strategy }) => 'data' in outcomes.get(strategy.name)!);
    return limit.aborted && !isRead ? new PageFailure('timeout', OUT_OF_TIME) : undefined;
  };
  try {
    await browser.withPage(url, view, { signal, timeoutMs }, async (loaded) => {
      // The error page of a server is not the page under review.
      if (loaded.status >= 400) {
        throw new PageFailure('navigation', `The page answered with HTTP ${loaded.status}.`);
      }
      isOpen = true;
      for (const task of tasks) {
        outcomes.set(task.strategy.name, await runOnPage(task, url, view.deviceType, loaded, signal));
      }
    });
    return unreadable();
  } catch (error) {
    // The browser may crash under the strategies; finished ones keep their data.
    for (const { strategy } of tasks) {
      if (!outcomes.has(strategy.name)) outcomes.set(strategy.name, { error });
    }
    if (isOpen) return unreadable();
    if (limit.aborted && isStop(error)) return new PageFailure('timeout', OUT_OF_TIME, { cause: error });
    return error instanceof PageFailure
      ? error
      : new PageFailure('navigation', messageOf(error), { cause: error });
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
