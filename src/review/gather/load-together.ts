import { untilAborted } from '../../lib/time.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { type LoadedPart, type LoadRequest, loadPage } from './page-load.ts';

/** The place of one run at a load that several runs share. */
export interface Seat {
  /** Asks for strategies on the page. The load begins once each run has asked or passed. */
  ask(request: LoadRequest, signal: AbortSignal): Promise<LoadedPart>;
  /** The run asks for nothing, or for nothing more. */
  pass(): void;
}

/** Share of the time of the runs, so that a load that is too slow ends before they do, and they get what was read. */
const LOAD_SHARE = 0.9;

/**
 * A load of a page for several runs, which ask for their strategies at about the same time. Runs that end before they ask
 * must pass, since the others wait for them. `timeoutMs` is the time in which the runs gather.
 */
export function shareLoad(
  browser: Browser,
  url: string,
  runs: number,
  { signal, ...limits }: { signal: AbortSignal; timeoutMs: number },
): Seat[] {
  const timeoutMs = limits.timeoutMs * LOAD_SHARE;
  const asked: { request: LoadRequest; part: PromiseWithResolvers<LoadedPart> }[] = [];
  let open = runs;
  const begin = async () => {
    const limit = AbortSignal.timeout(timeoutMs);
    const parts = await loadPage(
      browser,
      url,
      asked.map(({ request }) => request),
      { signal: AbortSignal.any([signal, limit]), limit, timeoutMs },
    );
    for (const [index, part] of parts.entries()) asked[index]!.part.resolve(part);
  };
  const settle = () => {
    open--;
    if (open > 0 || asked.length === 0) return;
    begin().catch((error: unknown) => {
      for (const { part } of asked) part.reject(error);
    });
  };
  return Array.from({ length: runs }, () => {
    let isSettled = false;
    return {
      async ask(request, own) {
        if (isSettled) throw new Error('A run asks once at a shared load.');
        isSettled = true;
        const part = Promise.withResolvers<LoadedPart>();
        asked.push({ request, part });
        settle();
        try {
          return await untilAborted(part.promise, own);
        } catch (error) {
          // The page must not stay open for a run that has gone.
          part.promise.then(({ held }) => held?.release()).catch(() => {});
          throw error;
        }
      },
      pass() {
        if (isSettled) return;
        isSettled = true;
        settle();
      },
    } satisfies Seat;
  });
}
