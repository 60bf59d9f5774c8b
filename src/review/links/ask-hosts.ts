import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '../../outside/net/failure-reason.ts';
import { FetchFailure, type FetchFailureKind, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { type Hop, mayHaveLinks, readHop, unanswered } from './fetch-once.ts';
import type { Gate } from './host-throttle.ts';

export interface Pace {
  timeoutMs: number;
  /** For the second try of what did not answer in time. */
  patientTimeoutMs: number;
  retryDelayMs: number;
  /** For the only try where the host has not answered anything so far. */
  silentTimeoutMs: number;
  /** How long a server may make us wait in all before its refusal stands. */
  maxWaitMs: number;
}

export const DEFAULT_PACE: Pace = {
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
// After so many addresses of a host that let every try run out, the others get one try each.
const PATIENT_UNTIL = { silent: 4, answered: 8 };
// A host that has left so many unanswered, and answered none, is not asked any more.
const SILENT_AFTER = 40;

export interface AskOptions {
  wantContent: boolean;
  cookie?: string;
  isWanted(): boolean;
}

/**
 * Asks addresses: with GET where their content matters, else with HEAD, which spares both sides the body.
 * What HEAD refuses is asked again with GET, since many servers know no other way, and a host that was
 * found to be one of them is spared HEAD from then on.
 */
export function createAsker({ fetch, gate, pace }: { fetch: SafeFetch; gate: Gate; pace: Pace }) {
  const hostsWithoutHead = new Set<string>();
  const hosts = new Map<string, { answered: boolean; timeouts: number }>();

  const knownOf = (name: string) => {
    const host = hosts.get(name) ?? { answered: false, timeouts: 0 };
    hosts.set(name, host);
    return host;
  };

  const isPatientWith = (name: string) => {
    const { answered, timeouts } = knownOf(name);
    return timeouts < PATIENT_UNTIL[answered ? 'answered' : 'silent'];
  };

  /** Hundreds of links into one dead host would otherwise take hours. */
  function askWithin(
    host: string,
    url: string,
    headers: Record<string, string>,
    timeoutMs: number,
    options: AskOptions,
    { method, isRetry = false }: { method?: 'HEAD'; isRetry?: boolean } = {},
  ) {
    const run = async () => {
      const known = knownOf(host);
      const isSilent = !known.answered && !isPatientWith(host);
      // Its one try is the one that every server understands.
      if (isSilent && method === 'HEAD') return { answer: unanswered(url, 'timeout') };
      if (isSilent && known.timeouts >= SILENT_AFTER) {
        return { answer: { ...unanswered(url, 'timeout'), presumed: true } };
      }
      const mostMs = isSilent ? pace.silentTimeoutMs : timeoutMs;
      const hop = await once(url, headers, mostMs, options, method);
      if (hop.answer.status !== undefined) known.answered = true;
      return hop;
    };
    return gate.run(host, run, isRetry);
  }

  async function ask(address: string, options: AskOptions): Promise<Hop> {
    const { url, authorization } = splitCredentials(address);
    const host = new URL(url).host;
    const headers = {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      ...(authorization && { authorization }),
      ...(options.cookie && { cookie: options.cookie }),
    };
    const mayAskHead =
      isPatientWith(host) &&
      !options.wantContent &&
      options.cookie === undefined &&
      !hostsWithoutHead.has(host);
    let waitedMs = 0;
    if (mayAskHead) {
      const hop = await askWithin(host, url, headers, pace.timeoutMs / 2, options, { method: 'HEAD' });
      if (isSettled(hop.answer)) return hop.answer;
      if (asksToWait(hop)) {
        const waitMs = beforeRetry(hop, 1) ?? Number.POSITIVE_INFINITY;
        if (waitMs > pace.maxWaitMs) return hop.answer;
        gate.ease(host, waitMs);
        waitedMs += waitMs;
        await wait(waitMs);
      }
    }
    let tries = 0;
    while (true) {
      tries++;
      const timeoutMs = tries === 1 ? pace.timeoutMs : pace.patientTimeoutMs;
      const hop = await askWithin(host, url, headers, timeoutMs, options, {
        isRetry: mayAskHead || tries > 1,
      });
      const isLate = hop.answer.failure === 'timeout';
      const waitMs = isLate && !isPatientWith(host) ? undefined : beforeRetry(hop, tries);
      if (waitMs === undefined || waitedMs + waitMs > pace.maxWaitMs) {
        if (mayAskHead && isSettled(hop.answer)) hostsWithoutHead.add(host);
        if (isLate) knownOf(host).timeouts++;
        return hop.answer;
      }
      waitedMs += waitMs;
      // Refusing the same address again says something about the address rather than about our pace.
      if (hop.answer.status === 429 && tries === 1) gate.ease(host, waitMs);
      await wait(waitMs);
    }
  }

  async function once(
    url: string,
    headers: Record<string, string>,
    timeoutMs: number,
    options: AskOptions,
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<{ answer: Hop; retryAfter?: string }> {
    if (!options.isWanted()) throw new FetchFailure('aborted', url, 'Nobody waits for the answer.');
    let begun: { status: number; headers: Record<string, string> } | undefined;
    const wantBody = (status: number, answered: Record<string, string>) => {
      begun = { status, headers: answered };
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
      return { answer: readHop(url, result, options.wantContent), retryAfter: result.headers['retry-after'] };
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      // A body that drips for ever still belongs to an address that answered.
      if (error.kind === 'timeout' && begun) {
        const result = { ...begun, url, body: new Uint8Array(), truncated: true, redirects: [] };
        return { answer: readHop(url, result, false) };
      }
      return {
        answer: unanswered(url, error.kind, error.cause instanceof Error ? reasonOf(error.cause) : undefined),
      };
    }
  }

  /** How long to wait before another try; `undefined` where the answer stands. */
  function beforeRetry({ answer, retryAfter }: { answer: Hop; retryAfter?: string }, tries: number) {
    const { status = 0, failure } = answer;
    if (failure) return tries === 1 && RETRIED_FAILURES.has(failure) ? pace.retryDelayMs : undefined;
    if (asksToWait({ answer, retryAfter })) {
      return tries < MAX_POLITE_TRIES
        ? (parseRetryAfter(retryAfter) ?? pace.retryDelayMs * 2 ** tries)
        : undefined;
    }
    const mayPass = status >= 500 && status < 600 && status !== 501;
    return mayPass && tries < (status === 503 ? MAX_ERROR_TRIES : 2) ? pace.retryDelayMs * tries : undefined;
  }

  return ask;
}

const asksToWait = ({ answer, retryAfter }: { answer: Hop; retryAfter?: string }): boolean =>
  answer.status === 429 || (answer.status === 503 && retryAfter !== undefined);

/** Whether an answer needs no second question. */
const isSettled = ({ status = 0, location }: Hop): boolean =>
  (status >= 200 && status < 300) ||
  status === 304 ||
  (status >= 300 && status < 400 && location !== undefined);

function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Browsers send the name and password of an address as a header, never within the address. */
function splitCredentials(address: string): { url: string; authorization?: string } {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { url: address };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
