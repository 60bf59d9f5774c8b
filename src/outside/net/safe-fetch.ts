import { Agent } from 'undici';
import { REASONS, reasonOf } from './failure-reason.ts';
import { failureKind } from './fetch-failure-kind.ts';
import { type Answer, exchange, NO_ANSWER_YET } from './http-exchange.ts';
import { FetchFailure, type FetchFailureKind, type FetchOptions, type SafeFetch } from './outbound-fetch.ts';
import type { Guard } from './ssrf-guard.ts';

/** A `SafeFetch` with its pool of connections; `close` drops them. */
export interface ClosableFetch extends SafeFetch {
  close(): Promise<void>;
}

const MESSAGES: Record<FetchFailureKind, string> = {
  'invalid-url': 'The address is not a valid URL.',
  // The same words whether a host cannot be reached or the guard refuses it, so that they tell nothing of the inside.
  'refused-host': 'The address could not be reached.',
  connect: 'The address could not be reached.',
  dns: 'The host name could not be resolved.',
  tls: 'No secure connection could be made.',
  reset: 'The connection was closed before the answer was complete.',
  timeout: 'The address did not answer in time.',
  aborted: 'The request was cancelled.',
  'redirect-loop': 'The address redirects in a circle.',
  'too-many-redirects': 'The address redirects too often.',
  protocol: 'The server did not answer with valid HTTP.',
};

/** Failure reason for hosts that the guard let pass, if more than the kind is known. */
function messageOf(kind: FetchFailureKind, cause: unknown): string {
  if (kind !== 'connect' && kind !== 'dns') return MESSAGES[kind];
  const reason = reasonOf(cause);
  if (reason === REASONS[kind]) return MESSAGES[kind];
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`.replace(/^Its /, 'The ');
}

/** Makes the one way out for plain requests: every hop is judged, pinned, timed and cut by the byte. */
export function createSafeFetch(
  guard: Pick<Guard, 'judgeUrl' | 'connect'>,
  /** `connections`: at once to one origin; null sets no bound, for whoever bounds them itself. */
  { userAgent, connections = 128 }: { userAgent: string; connections?: number | null },
): ClosableFetch {
  const agentOptions = { connect: guard.connect, allowH2: false, connections, maxHeaderSize: 65_536 };
  const agent = new Agent({ ...agentOptions, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 30_000 });
  const fresh = new Agent({ ...agentOptions, pipelining: 0 });

  const fetch = async (input: string, options: FetchOptions = {}) => {
    const { maxRedirects = 5, timeoutMs = 15_000, signal } = options;
    const deadline = performance.now() + timeoutMs;
    const redirects: { url: string; status: number }[] = [];
    const seen = new Set<string>();
    let method = (options.method ?? 'GET').toUpperCase();
    let headers = requestHeaders(options.headers, userAgent);
    let body = options.body;
    let url = URL.parse(input);
    let shown = input;

    const fail = (kind: FetchFailureKind, cause?: unknown) =>
      new FetchFailure(kind, shown, messageOf(kind, cause), { redirects, cause });

    while (true) {
      if (!url) throw fail('invalid-url');
      shown = url.href;
      if (guard.judgeUrl(url)) throw fail('refused-host');

      const ask = (dispatcher: Agent) =>
        exchange(dispatcher, {
          url: url!,
          method,
          headers,
          body,
          timeoutMs: deadline - performance.now(),
          maxBytes: options.maxBytes ?? 5_000_000,
          wantBody: (status, answered) =>
            nextHop(status, answered, maxRedirects) === undefined &&
            (options.wantBody?.(status, answered) ?? true),
          keepAlive: dispatcher === agent,
          signal,
        });

      let answer: Answer;
      try {
        answer = await ask(agent).catch((error: Error & { [NO_ANSWER_YET]?: boolean }) => {
          // A kept connection may be closed by the server just as it is used, or hold a body that a HEAD
          // should not have had; a new one tells that from a server that is broken.
          const kind = failureKind(error);
          const again =
            error[NO_ANSWER_YET] && isIdempotent(method) && (kind === 'reset' || kind === 'protocol');
          if (again && !signal?.aborted && performance.now() < deadline) return ask(fresh);
          throw error;
        });
      } catch (error) {
        throw fail(signal?.aborted ? 'aborted' : failureKind(error as Error), error);
      }

      const location = nextHop(answer.status, answer.headers, maxRedirects);
      if (location === undefined) return { url: url.href, ...answer, redirects };

      redirects.push({ url: url.href, status: answer.status });
      if (redirects.length > maxRedirects) throw fail('too-many-redirects');
      seen.add(`${method} ${withoutFragment(url)}`);
      const next = resolveLocation(location, url);
      shown = location;
      if (!next) throw fail('invalid-url');
      const turnsToGet =
        (answer.status === 303 && method !== 'HEAD') ||
        ((answer.status === 301 || answer.status === 302) && method === 'POST');
      if (turnsToGet) {
        method = 'GET';
        body = undefined;
        headers = keepHeaders(headers, (name) => !name.startsWith('content-'));
      }
      // Any header that the caller set may hold a secret, whatever its name, so another origin gets none.
      if (next.origin !== url.origin) headers = keepHeaders(headers, (name) => HARMLESS_HEADERS.has(name));
      url = next;
      shown = url.href;
      if (seen.has(`${method} ${withoutFragment(url)}`)) throw fail('redirect-loop');
    }
  };

  return Object.assign(fetch, {
    close: async () => {
      await Promise.all([agent.destroy(), fresh.destroy()]);
    },
  });
}

const HARMLESS_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'range',
  'user-agent',
]);

/** Headers that belong to the connection, or that would let a caller speak to another virtual host. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a header is none that a caller may set. */
export const isConnectionHeader = (name: string): boolean =>
  OWN_HEADERS.has(name.toLowerCase()) || /^proxy-/i.test(name);

function requestHeaders(given: Record<string, string> = {}, userAgent: string) {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!isConnectionHeader(lower)) headers[lower] = value;
  }
  return headers;
}

const keepHeaders = (headers: Record<string, string>, keep: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));

const isIdempotent = (method: string) => method === 'GET' || method === 'HEAD';

const withoutFragment = (url: URL) => (url.hash === '' ? url.href : url.href.slice(0, -url.hash.length));

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const nextHop = (status: number, headers: Record<string, string>, maxRedirects: number) =>
  maxRedirects > 0 && REDIRECTS.has(status) ? headers.location : undefined;

/** The redirect's fragment wins; where it has none, the one asked for goes on. */
function resolveLocation(location: string, from: URL): URL | null {
  // Header bytes arrive as Latin-1 characters; escaped, they mean what the server wrote in any charset.
  const escaped = location.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const next = URL.parse(escaped, from);
  if (next && next.hash === '' && !location.includes('#')) next.hash = from.hash;
  return next;
}
