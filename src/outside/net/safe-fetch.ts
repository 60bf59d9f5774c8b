import { Agent } from 'undici';
import { FETCH_FAILURE_REASONS, failureReasonOf } from './failure-reason.ts';
import { failureKind } from './fetch-failure-kind.ts';
import { exchange, type HttpAnswer, NO_ANSWER_YET } from './http-exchange.ts';
import { FetchFailure, type FetchFailureKind, type FetchOptions, type SafeFetch } from './outbound-fetch.ts';
import { type Guard, UNREACHABLE } from './ssrf-guard.ts';

/** A `SafeFetch` with its own connection pool, which `close` destroys. */
export interface ClosableFetch extends SafeFetch {
  close(): Promise<void>;
}

const MESSAGES: Record<FetchFailureKind, string> = {
  'invalid-url': 'The address is not a valid URL.',
  'refused-host': UNREACHABLE,
  withheld: 'The address looks like signing out or deleting, so it is not requested while signed in.',
  connect: UNREACHABLE,
  dns: 'The host name could not be resolved.',
  tls: 'No secure connection could be made.',
  reset: 'The connection was closed before the answer was complete.',
  timeout: 'The address did not answer in time.',
  aborted: 'The request was cancelled.',
  'redirect-loop': 'The address redirects in a circle.',
  'too-many-redirects': 'The address redirects too often.',
  protocol: 'The server did not answer with valid HTTP.',
};

/** Message of a failure; for a host that the guard allowed, it has the precise reason if there is one. */
function messageOf(kind: FetchFailureKind, cause: unknown): string {
  if (kind !== 'connect' && kind !== 'dns') return MESSAGES[kind];
  const reason = failureReasonOf(cause);
  if (reason === FETCH_FAILURE_REASONS[kind]) return MESSAGES[kind];
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`.replace(/^Its /, 'The ');
}

/**
 * The only way out for plain HTTP requests. The SSRF guard checks every hop, connections are pinned to the addresses
 * that it checked (no DNS rebinding), one timeout covers the whole exchange, and the body is limited in bytes.
 *
 * Redirects are followed here and not by undici's redirect interceptor, because each hop is checked before it is
 * requested, drops the caller's headers at a change of origin, and is reported to the caller.
 */
export function createSafeFetch(
  guard: Pick<Guard, 'checkUrl' | 'connect'>,
  /** `connections`: size of the connection pool per origin; null for a caller that limits them itself. */
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
      if (guard.checkUrl(url)) throw fail('refused-host');
      const sent = options.headersFor ? hopHeaders(options.headersFor(url.href, headers)) : headers;
      if (!sent) throw fail('withheld');

      const send = (dispatcher: Agent) =>
        exchange(dispatcher, {
          url: url!,
          method,
          headers: sent,
          body,
          timeoutMs: deadline - performance.now(),
          maxBytes: options.maxBytes ?? 5_000_000,
          wantBody: (status, answered) =>
            redirectTarget(status, answered, maxRedirects) === undefined &&
            (options.wantBody?.(status, answered) ?? true),
          keepAlive: dispatcher === agent,
          signal,
        });

      let answer: HttpAnswer;
      try {
        answer = await send(agent).catch((error: Error & { [NO_ANSWER_YET]?: boolean }) => {
          // The server may close a keep-alive connection just as it is reused, or the connection may still contain
          // the body of an earlier HEAD. A retry on a fresh connection distinguishes these cases from a broken
          // server.
          const kind = failureKind(error);
          const again =
            error[NO_ANSWER_YET] && isIdempotent(method) && (kind === 'reset' || kind === 'protocol');
          if (again && !signal?.aborted && performance.now() < deadline) return send(fresh);
          throw error;
        });
      } catch (error) {
        throw fail(signal?.aborted ? 'aborted' : failureKind(error as Error), error);
      }

      const location = redirectTarget(answer.status, answer.headers, maxRedirects);
      if (location === undefined) return { url: url.href, ...answer, redirects };

      redirects.push({ url: url.href, status: answer.status });
      if (redirects.length > maxRedirects) throw fail('too-many-redirects');
      seen.add(`${method} ${withoutFragment(url)}`);
      const next = resolveLocation(location, url);
      shown = location;
      if (!next) throw fail('invalid-url');
      const becomesGet =
        (answer.status === 303 && method !== 'HEAD') ||
        ((answer.status === 301 || answer.status === 302) && method === 'POST');
      if (becomesGet) {
        method = 'GET';
        body = undefined;
        headers = keepHeaders(headers, (name) => !name.startsWith('content-'));
      }
      // Any header of the caller may contain a secret, whatever its name, so another origin gets none of them.
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

/** Headers that belong to the connection, or would let a caller address another virtual host. */
const CONNECTION_HEADERS = new Set([
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

/** True for a header that callers may not set. */
export const isConnectionHeader = (name: string): boolean =>
  CONNECTION_HEADERS.has(name.toLowerCase()) || /^proxy-/i.test(name);

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

const hopHeaders = (headers: Record<string, string> | undefined) =>
  headers && keepHeaders(headers, (name) => !isConnectionHeader(name));

const keepHeaders = (headers: Record<string, string>, keep: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));

const isIdempotent = (method: string) => method === 'GET' || method === 'HEAD';

const withoutFragment = (url: URL) => (url.hash === '' ? url.href : url.href.slice(0, -url.hash.length));

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const redirectTarget = (status: number, headers: Record<string, string>, maxRedirects: number) =>
  maxRedirects > 0 && REDIRECTS.has(status) ? headers.location : undefined;

/** Resolves a `Location`. Its fragment wins; without one, the fragment of the requested URL is kept. */
function resolveLocation(location: string, from: URL): URL | null {
  // Header bytes arrive as Latin-1 characters; percent-encoding keeps the server's bytes, whatever their charset.
  const escaped = location.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const next = URL.parse(escaped, from);
  if (next && next.hash === '' && !location.includes('#')) next.hash = from.hash;
  return next;
}
