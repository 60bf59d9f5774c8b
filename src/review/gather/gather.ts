import type { Fields } from '../../lib/json.ts';
import { type Browser, PageFailure } from '../../outside/browser/browser.ts';
import type { Lighthouse } from '../../outside/lighthouse/lighthouse-report.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import type { FetchStrategy, GatherStrategy } from './gather-strategy.ts';
import type { HeldPage } from './held-page.ts';
import { gatherNames, gatherStrategies } from './index.ts';
import type { Seat } from './load-together.ts';
import { type KeepOpen, type LoadedPart, loadPage, type PlannedStrategy } from './page-load.ts';
import { createFetchText } from './requests/fetch-text.ts';
import { isStop, messageOf, OUT_OF_TIME, type Outcome, runInTime } from './run-strategy.ts';

const TOTAL_TIMEOUT_MS = 120_000;

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
  /** Keeps the page open after all of its strategies succeeded. Pages on two devices are not kept. */
  keepOpen?: KeepOpen;
  /** The place of this run at a load that it shares with others, for its own device. */
  seat?: Seat | undefined;
  /** Strategies that can run; by default all. */
  available?: readonly GatherStrategy[];
}

export interface GatherResult {
  /** An entry for each strategy but `none`, in the order of `strategies`. */
  gathered: Gathered[];
  /** Address of the page that opened, after redirects. */
  landed?: string;
  /** Reason why the page did not open, if a strategy needed it. */
  pageFailure?: PageFailure;
  /** The page that `keepOpen` asks for. The caller uses or releases it; it closes at the time limit of the phase. */
  held?: HeldPage;
}

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
        turn: available.indexOf(strategy),
      });
    }
  }
  // A page that is held while the other device waits for a slot could wait forever.
  const isOneDevice = pageTasks.every(({ view }) => view.deviceType === input.deviceType);
  const { browser, url, seat, timeoutMs = TOTAL_TIMEOUT_MS } = input;
  // The others do not wait while a page is loaded for the other device alone.
  if (!pageTasks.some(({ view }) => view.deviceType === input.deviceType)) seat?.pass();
  const loads = await Promise.all(
    (['desktop', 'mobile'] as const).map(async (deviceType) => {
      const tasks = pageTasks.filter(({ view }) => view.deviceType === deviceType);
      if (tasks.length === 0) return undefined;
      const request = { tasks, keepOpen: isOneDevice ? input.keepOpen : undefined };
      if (seat && deviceType === input.deviceType)
        return await seat.ask(request, signal).catch((error: unknown) => lateLoad(error, tasks, limit));
      return (await loadPage(browser, url, [request], { signal, limit, timeoutMs }))[0];
    }),
  ).finally(() => seat?.pass());
  await Promise.all(fetchTasks);
  input.signal.throwIfAborted();

  for (const load of loads) for (const [name, outcome] of load?.outcomes ?? []) outcomes.set(name, outcome);
  const pageFailure = loads.find((load) => load?.failure !== undefined)?.failure;
  const landed = loads.find((load) => load?.landed !== undefined)?.landed;
  const held = loads.find((load) => load?.held !== undefined)?.held;
  const gathered = names.map((name) => toGathered(name, outcomes.get(name)!, input, limit, pageFailure));
  return {
    gathered,
    ...(landed !== undefined && { landed }),
    ...(pageFailure && { pageFailure }),
    ...(held && { held }),
  };
}

/** The part of a shared load that took longer than this run has time. */
function lateLoad(error: unknown, tasks: readonly PlannedStrategy[], limit: AbortSignal): LoadedPart {
  if (!limit.aborted) throw error;
  return {
    outcomes: new Map(tasks.map(({ strategy }) => [strategy.name, { error }])),
    failure: new PageFailure('timeout', OUT_OF_TIME, { cause: error }),
  };
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
