import { type Agent, fetch as ask, Headers, type RequestInit, Response } from 'undici';
import { failureKind } from '../net/fetch-failure-kind.ts';
import { isConnectionHeader } from '../net/safe-fetch.ts';
import type { Guard } from '../net/ssrf-guard.ts';
import { limitBody } from './limit-body.ts';
import { McpFailure, type McpServer } from './mcp.ts';

const MAX_REDIRECTS = 3;
const MAX_RESPONSE_BYTES = 5_000_000;
/** Answers per connection to requests of the server, each of which costs a request of ours. */
const MAX_ANSWERS = 200;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const UNREACHABLE = 'The server could not be reached.';

export interface FetchContext {
  guard: Pick<Guard, 'checkUrl'>;
  agent: Agent;
  server: McpServer;
  userAgent: string;
  /** Abort signal of the connection's current phase, such as its opening or its end. */
  phaseSignal(): AbortSignal | undefined;
  /** Called with each JSON-RPC method before it is sent. */
  onMethod(method: string): void;
  /**
   * True if a GET opens the stream of the whole connection. Otherwise streams for unsolicited messages are not
   * opened, while a stream that resumes an answer is.
   */
  lastingStream: boolean;
}

/**
 * A `fetch` for the MCP SDK. Every hop passes the SSRF guard, the server's secrets go to its own origin only, and
 * answers are limited in size and time. Throws `McpFailure`, or the reason of the SDK's own signal.
 */
export function guardedFetch(context: FetchContext) {
  const origin = new URL(context.server.url).origin;
  let streams = 0;
  let answers = 0;

  const guarded = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = (init.method ?? 'GET').toUpperCase();
    const headers = new Headers(init.headers);
    let url = new URL(String(input));
    // The SDK needs only the given address and others of the same origin.
    if (url.origin !== origin) throw new McpFailure('refused-host', UNREACHABLE);
    if (method === 'GET' && !context.lastingStream && !headers.has('last-event-id')) {
      return new Response(null, { status: 405 });
    }
    // On a 204, the SDK does not try to open the stream again.
    if (method === 'GET' && context.lastingStream && ++streams > 1)
      return new Response(null, { status: 204 });

    const message = messageOf(init.body);
    if (message?.method !== undefined) context.onMethod(message.method);
    else if (message !== undefined && ++answers > MAX_ANSWERS) return new Response(null, { status: 202 });
    const isLasting = method === 'GET' && context.lastingStream;
    const timeout = AbortSignal.timeout(isLasting ? MAX_STREAM_MS : context.server.timeoutMs);
    const signals = [timeout, init.signal, isLasting ? undefined : context.phaseSignal()];
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined && one !== null));
    headers.set('user-agent', context.userAgent);

    for (let hops = 0; ; hops++) {
      if (context.guard.checkUrl(url)) throw new McpFailure('refused-host', UNREACHABLE);
      const response = await ask(url, {
        ...init,
        headers: url.origin === origin ? withSecrets(headers, context.server.headers) : headers,
        signal,
        redirect: 'manual',
        dispatcher: context.agent,
      }).catch((error: Error) => {
        if (timeout.aborted) throw new McpFailure('timeout', 'The server did not answer in time.');
        if (signal.aborted) throw error;
        throw refusalOf(error);
      });
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return withLimits(response, message?.id);

      await response.body?.cancel();
      const next = URL.parse(location, url);
      // Following with a GET would lose the message.
      if (!next || (response.status === 303 && method !== 'GET')) {
        throw new McpFailure('protocol', 'The server redirects to where a message cannot follow.');
      }
      if (hops === MAX_REDIRECTS) throw new McpFailure('protocol', 'The server redirects too often.');
      url = next;
    }
  };
  return guarded as unknown as typeof globalThis.fetch;
}

/** Longest duration of the only stream of an older server. */
const MAX_STREAM_MS = 600_000;

function messageOf(body: unknown): { method?: string; id?: string | number } | undefined {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  return typeof message === 'object' && message !== null ? message : undefined;
}

/** Adds the caller's headers, which cannot override those of the protocol. */
function withSecrets(headers: Headers, secrets: Record<string, string>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(secrets)) {
    if (!isConnectionHeader(name) && !/^(mcp-|accept$|content-|last-event-id$)/i.test(name)) {
      all.set(name, value);
    }
  }
  return all;
}

function refusalOf(error: Error): McpFailure {
  const kind = failureKind(error.cause ?? error);
  if (kind === 'refused-host') return new McpFailure('refused-host', UNREACHABLE, { cause: error });
  if (kind === 'timeout')
    return new McpFailure('timeout', 'The server did not answer in time.', { cause: error });
  return new McpFailure('unreachable', UNREACHABLE, { cause: error });
}

function withLimits(response: Response, id: string | number | undefined): Response {
  const { status, headers, body } = response;
  if (!body) return response;
  const isStream = /^\s*text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
  const limited = limitBody(
    body as ReadableStream<Uint8Array>,
    MAX_RESPONSE_BYTES,
    isStream ? id : undefined,
  );
  return new Response(limited as never, { status, headers });
}
