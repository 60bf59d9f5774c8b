import { untilAborted } from '../../lib/time.ts';
import { browserOfRun } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { Outside } from '../../outside/outside.ts';
import type { RunContext, SiteContext } from '../core/execution-strategy.ts';
import { createMemo } from '../core/memo.ts';
import type { growingRedactor } from '../core/redact.ts';
import { followsLinks, type Run } from '../core/run-state.ts';
import { planGathering } from '../plan/plan-gathering.ts';
import { needsSiteWords, tapWords } from '../plan/words-of-run.ts';
import { openSession, sessionKey } from '../session/session-of-run.ts';
import { type PlannedRun, reviewPages } from './review-pages.ts';

/** The place of one run among those of its review, which wait for each other twice. */
export interface Companion {
  /** Resolves once all runs are loaded, to what those with the same credentials share. */
  join(joining: Joining, signal: AbortSignal): Promise<SiteContext>;
  /** Reviews the pages of the run, together with those of the others, once all have planned theirs. */
  review(planned: PlannedRun, signal: AbortSignal): Promise<void>;
  /** The run has ended: no other waits for it. */
  leave(): void;
}

/** A run that has been loaded. */
export interface Joining {
  run: Run;
  log: RunContext['log'];
  redactor: ReturnType<typeof growingRedactor>;
}

/** Places for runs that crawl their site once and load each of its pages once. */
export function runTogether(runs: number, outside: Outside, stopping: AbortSignal): Companion[] {
  const gone = new AbortController();
  const signal = AbortSignal.any([stopping, gone.signal]);
  const logs = new Set<RunContext['log']>();
  const taps: ReturnType<typeof tapWords>[] = [];
  // A run must not see what another one is shown for its credentials.
  const loaded = createMeeting<Joining, Map<Joining, SiteContext>>(runs, (all) => {
    const sites = new Map<Joining, SiteContext>();
    for (const group of Map.groupBy(all, ({ run }) => sessionKey(run)).values()) {
      const site = openSite(group, { outside, signal, logs, taps });
      for (const one of group) sites.set(one, site);
    }
    return sites;
  });
  const planned = createMeeting<PlannedRun, Promise<Map<PlannedRun, Promise<void>>>>(runs, async (all) => {
    for (const words of taps) words.end();
    const ends = new Map<PlannedRun, Promise<void>>();
    for (const [site, group] of Map.groupBy(all, ({ context }) => context.site!)) {
      const ofGroup = await reviewPages(group, site);
      for (const [index, one] of group.entries()) ends.set(one, ofGroup[index]!);
    }
    return ends;
  });
  let left = runs;
  return Array.from({ length: runs }, () => {
    let ownLog: RunContext['log'] | undefined;
    let isGone = false;
    const [atLoading, atPlanning] = [loaded.place(), planned.place()];
    return {
      async join(joining, own) {
        ownLog = joining.log;
        logs.add(joining.log);
        return (await untilAborted(atLoading.arrive(joining), own)).get(joining)!;
      },
      async review(one, own) {
        const ends = await untilAborted(atPlanning.arrive(one), own);
        await (await ends).get(one);
      },
      leave() {
        if (isGone) return;
        isGone = true;
        if (ownLog) logs.delete(ownLog);
        atLoading.leave();
        atPlanning.leave();
        left--;
        if (left === 0) gone.abort();
      },
    } satisfies Companion;
  });
}

/** The context of a site for the runs that see it with the same credentials. */
function openSite(
  group: readonly Joining[],
  {
    outside: signedOut,
    signal,
    logs,
    taps,
  }: {
    outside: Outside;
    signal: AbortSignal;
    logs: ReadonlySet<RunContext['log']>;
    taps: ReturnType<typeof tapWords>[];
  },
): SiteContext {
  const runs = group.map(({ run }) => run);
  const log: SiteContext['log'] = (line) => {
    for (const one of group) if (logs.has(one.log)) one.log(line);
  };
  const redactors = group.map(({ redactor }) => redactor);
  const { outside, ...session } = openSession(runs[0]!, { outside: signedOut, redactors, log, signal });
  const needsWords = runs.some((run) => needsSiteWords(run) && followsLinks(run));
  const words = needsWords ? tapWords(outside.fetch) : undefined;
  if (words) taps.push(words);
  return {
    fetch: abortedBy(signal, words?.fetch ?? outside.fetch),
    browser: browserOfRun(outside.browser),
    once: createMemo(),
    log,
    signal,
    readsLinksAlone: runs.every((run) => planGathering(run, outside.models).linksAlone),
    words,
    outside,
    ...session,
  };
}

/** Aborts requests with a signal, including requests whose result is cached for several pages. */
export const abortedBy =
  (stop: AbortSignal, fetch: SafeFetch): SafeFetch =>
  (url, options = {}) => {
    const signal = options.signal ? AbortSignal.any([options.signal, stop]) : stop;
    return fetch(url, { ...options, signal });
  };

interface MeetingPlace<Value, Result> {
  /** Resolves to the result once each of the others has arrived or left. */
  arrive(value: Value): Promise<Result>;
  leave(): void;
}

/** A meeting of a number of runs: when all have arrived or left, `make` works out the result of those that came. */
function createMeeting<Value, Result>(runs: number, make: (values: Value[]) => Result) {
  const values: Value[] = [];
  const result = Promise.withResolvers<Result>();
  let awaited = runs;
  const settle = () => {
    awaited--;
    if (awaited > 0 || values.length === 0) return;
    try {
      result.resolve(make(values));
    } catch (error) {
      result.reject(error);
    }
  };
  return {
    place(): MeetingPlace<Value, Result> {
      let isSettled = false;
      return {
        arrive(value) {
          if (!isSettled) {
            isSettled = true;
            values.push(value);
            settle();
          }
          return result.promise;
        },
        leave() {
          if (isSettled) return;
          isSettled = true;
          settle();
        },
      };
    },
  };
}
