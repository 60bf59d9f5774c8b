import { setTimeout as wait } from 'node:timers/promises';
import { parseRetryAfter } from '../../lib/text/retry-after.ts';
import { failureReasonOf } from '../../outside/net/failure-reason.ts';
import { FetchFailure, type FetchFailureKind, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { type FetchOutcome, failedFetch, mayHaveLinks, readResponse } from './fetch-once.ts';
import type { HostThrottle } from './host-throttle.ts';
import type { ParsePage } from './page/page-parser.ts';
import type { PageStore } from './page-store.ts';

export interface FetchTiming {
  timeoutMs: number;
  /** Timeout of the retry after a timeout. */
  patientTimeoutMs: number;
  /** Delay before the first retry; the back-off doubles it. */
  retryDelayMs: number;
  /** Timeout of the only try at a host that has not answered any request so far. */
  silentTimeoutMs: number;
  /** Longest wait in all that `Retry-After` and the back-off may add to one address. */
  maxWaitMs: number;
}

export const DEFAULT_TIMING: FetchTiming = {
  timeoutMs: 10_000,
  patientTimeoutMs: 15_000,
  silentTimeoutMs: 3_000,
  retryDelayMs: 300,
  maxWaitMs: 20_000,
};

const RETRIED_FAILURES = new Set<FetchFailureKind>(['dns', 'connect', 'reset', 'timeout', 'protocol']);
const MAX_PAGE_BYTES = 10_000_000;
const MAX_POLITE_TRIES = 5;
const MAX_ERROR_TRIES = 3;
// Addresses of a host that may time out with all retries; later addresses of the host get a single try.
const MAX_TIMEOUTS = { silent: 4, answered: 8 };
// Timeouts after which a host that never answered counts as dead (circuit breaker): it gets no more requests.
const SILENT_AFTER = 40;

export interface PoliteFetchOptions {
  wantContent: boolean;
  cookie?: string;
  /** False once no caller waits for the answer any more. */
  isWanted(): boolean;
}

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';

export type PoliteFetch = (address: string, options: PoliteFetchOptions) => Promise<FetchOutcome>;

/**
 * Fetches single addresses with a throttle per host, retries with back-off, and `Retry-After`. Sends GET where content
 * matters, and otherwise HEAD, which spares both sides the body. An address that refuses HEAD gets a GET, since many
 * servers know no other method; from then on their hosts get GET only.
 */
export function createPoliteFetch({
  fetch,
  throttle,
  timing,
  parse,
  store,
}: {
  fetch: SafeFetch;
  throttle: HostThrottle;
  timing: FetchTiming;
  parse: ParsePage;
  store: PageStore;
}): PoliteFetch {
  const hostsWithoutHead = new Set<string>();
  const hosts = createHostRecords();

  /** One request in its turn. Silent hosts get short timeouts: hundreds of links into a dead host would take hours. */
  function fetchInTurn(
    host: string,
    url: string,
    headers: Record<string, string>,
    timeoutMs: number,
    options: PoliteFetchOptions,
    { method, isRetry = false }: { method?: 'HEAD'; isRetry?: boolean } = {},
  ) {
    const run = async () => {
      const known = hosts.get(host);
      const isSilent = !known.answered && !hosts.mayTimeOut(host);
      // The only try is a GET, which every server understands.
      if (isSilent && method === 'HEAD') return { outcome: failedFetch(url, 'timeout') };
      if (isSilent && known.timeouts >= SILENT_AFTER) {
        return { outcome: { ...failedFetch(url, 'timeout'), presumed: true } };
      }
      const maxMs = isSilent ? timing.silentTimeoutMs : timeoutMs;
      const request = { url, headers, timeoutMs: maxMs, method };
      const attempt = await fetchOnce(fetch, request, options, { parse, store });
      if (attempt.outcome.status !== undefined) known.answered = true;
      return attempt;
    };
    return throttle.run(host, run, isRetry);
  }

  async function fetchPolitely(address: string, options: PoliteFetchOptions): Promise<FetchOutcome> {
    const { url, authorization } = splitCredentials(address);
    const host = new URL(url).host;
    const { cookie } = options;
    const headers = { accept: ACCEPT, ...(authorization && { authorization }), ...(cookie && { cookie }) };
    const mayTryHead =
      hosts.mayTimeOut(host) && !options.wantContent && cookie === undefined && !hostsWithoutHead.has(host);
    let waitedMs = 0;
    if (mayTryHead) {
      const head = await fetchInTurn(host, url, headers, timing.timeoutMs / 2, options, { method: 'HEAD' });
      if (isConclusive(head.outcome)) return head.outcome;
      if (demandsWait(head)) {
        const waitMs = retryDelayOf(head, 1, timing) ?? Number.POSITIVE_INFINITY;
        if (waitMs > timing.maxWaitMs) return head.outcome;
        throttle.slowDown(host, waitMs);
        waitedMs += waitMs;
        await wait(waitMs);
      }
    }
    let tries = 0;
    while (true) {
      tries++;
      const timeoutMs = tries === 1 ? timing.timeoutMs : timing.patientTimeoutMs;
      const attempt = await fetchInTurn(host, url, headers, timeoutMs, options, {
        isRetry: mayTryHead || tries > 1,
      });
      const isLate = attempt.outcome.failure === 'timeout';
      const waitMs = isLate && !hosts.mayTimeOut(host) ? undefined : retryDelayOf(attempt, tries, timing);
      if (waitMs === undefined || waitedMs + waitMs > timing.maxWaitMs) {
        if (mayTryHead && isConclusive(attempt.outcome)) hostsWithoutHead.add(host);
        if (isLate) hosts.get(host).timeouts++;
        return attempt.outcome;
      }
      waitedMs += waitMs;
      // A repeated 429 says something about the address rather than about the request rate.
      if (attempt.outcome.status === 429 && tries === 1) throttle.slowDown(host, waitMs);
      await wait(waitMs);
    }
  }

  return fetchPolitely;
}

/** Answers and timeouts of each host. */
function createHostRecords() {
  const hosts = new Map<string, { answered: boolean; timeouts: number }>();
  const get = (name: string) => {
    const host = hosts.get(name) ?? { answered: false, timeouts: 0 };
    hosts.set(name, host);
    return host;
  };
  return {
    get,
    /** True while a timeout of the host is worth a retry. */
    mayTimeOut(name: string): boolean {
      const { answered, timeouts } = get(name);
      return timeouts < MAX_TIMEOUTS[answered ? 'answered' : 'silent'];
    },
  };
}

interface Attempt {
  outcome: FetchOutcome;
  /** Header `Retry-After`. */
  retryAfter?: string;
}

interface OneRequest {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  /** By default GET. */
  method?: 'GET' | 'HEAD' | undefined;
}

async function fetchOnce(
  fetch: SafeFetch,
  { url, headers, timeoutMs, method = 'GET' }: OneRequest,
  options: PoliteFetchOptions,
  reading: { parse: ParsePage; store: PageStore },
): Promise<Attempt> {
  if (!options.isWanted()) throw new FetchFailure('aborted', url, 'No caller waits for the answer.');
  let responseHead: { status: number; headers: Record<string, string> } | undefined;
  const wantBody = (status: number, answered: Record<string, string>) => {
    responseHead = { status, headers: answered };
    return options.wantContent && status >= 200 && status < 300 && mayHaveLinks(answered);
  };
  try {
    const result = await fetch(url, {
      method,
      headers,
      timeoutMs,
      maxRedirects: 0,
      maxBytes: MAX_PAGE_BYTES,
      wantBody,
    });
    // Within its turn, so that no more pages wait to be parsed than requests are allowed at once.
    const outcome = await readResponse(url, result, { ...reading, wantContent: options.wantContent });
    return { outcome, retryAfter: result.headers['retry-after'] };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    // An address whose body never ends counts as answered.
    if (error.kind === 'timeout' && responseHead) {
      const result = { ...responseHead, url, body: new Uint8Array(), truncated: true, redirects: [] };
      return { outcome: await readResponse(url, result, { ...reading, wantContent: false }) };
    }
    const reason = error.cause instanceof Error ? failureReasonOf(error.cause) : undefined;
    return { outcome: failedFetch(url, error.kind, reason) };
  }
}

/** Back-off before another try in milliseconds; undefined if the outcome is final. */
function retryDelayOf(attempt: Attempt, tries: number, timing: FetchTiming): number | undefined {
  const { status = 0, failure } = attempt.outcome;
  if (failure) return tries === 1 && RETRIED_FAILURES.has(failure) ? timing.retryDelayMs : undefined;
  if (demandsWait(attempt)) {
    return tries < MAX_POLITE_TRIES
      ? (parseRetryAfter(attempt.retryAfter, Date.now()) ?? timing.retryDelayMs * 2 ** tries)
      : undefined;
  }
  const mayPass = status >= 500 && status < 600 && status !== 501;
  return mayPass && tries < (status === 503 ? MAX_ERROR_TRIES : 2) ? timing.retryDelayMs * tries : undefined;
}

const demandsWait = ({ outcome: { status }, retryAfter }: Attempt): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined);

/** True if a GET would not give more information than this response to HEAD. */
const isConclusive = ({ status = 0, location }: FetchOutcome): boolean =>
  (status >= 200 && status < 300) ||
  status === 304 ||
  (status >= 300 && status < 400 && location !== undefined);

/** Moves the user name and password of an address to a header, as browsers do. */
function splitCredentials(address: string): { url: string; authorization?: string } {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { url: address };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
