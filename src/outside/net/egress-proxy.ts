import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  type ClientRequestArgs,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { failureReasonOf } from './failure-reason.ts';
import { type Guard, GuardRefusal, portOf, UNREACHABLE, type UrlRefusal } from './ssrf-guard.ts';

export interface EgressProxy {
  port: number;
  /** Credentials for the proxy's challenge; other processes on the machine do not know them. */
  username: string;
  password: string;
  /** Header that marks the proxy's own answers; its value is random, so that no site can forge it. */
  mark: { name: string; value: string };
  /** URL that the proxy answers itself; a browser opens it first, to authenticate. */
  greetingUrl: string;
  /** True if the guard has recently refused the host. */
  hasDenied(hostname: string, port: number): boolean;
  /** Reason that an allowed host recently gave no answer, see `failureReasonOf`; pages in the browser never see it. */
  reasonOf(hostname: string, port: number): string | undefined;
  close(): Promise<void>;
}

type Dial = Pick<Guard, 'dial'>;

const GREETING_HOST = 'egress.invalid';
const MAX_REMEMBERED = 1000;
const UPSTREAM_IDLE_MS = 4_000;
const MAX_HEADER_BYTES = 262_144;
const USERNAME = 'browser';

/**
 * A forward proxy on loopback that is a browser's only way to the network. Chromium resolves names itself, and follows
 * redirects, preloads and sockets in ways that no interception within the page covers; so the SSRF guard checks each
 * connection here, where it is opened.
 *
 * It is ours, because proxy libraries open upstream connections themselves, and here each one must be opened by the
 * guard's `dial`, which resolves, checks and pins in one step.
 */
export async function createEgressProxy(options: {
  guard: Dial;
  onDenied: (host: string, why: UrlRefusal) => void;
}): Promise<EgressProxy> {
  const password = randomBytes(24).toString('base64url');
  const credentials = Buffer.from(`Basic ${Buffer.from(`${USERNAME}:${password}`).toString('base64')}`);
  const mark = { name: 'x-egress-proxy', value: randomBytes(12).toString('base64url') };
  const failures = createFailureMemory(options.onDenied);
  const guard: Dial = {
    async dial(hostname, port, dialing) {
      const socket = await options.guard.dial(hostname, port, dialing);
      // A host may be added to the allow list while a browser runs.
      failures.forget(hostname, port);
      return socket;
    },
  };
  const isAuthorized = (headers: IncomingHttpHeaders): boolean => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === credentials.length && timingSafeEqual(given, credentials);
  };

  const agent = new GuardedAgent(guard);
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    keepAliveTimeout: 60_000,
  });
  const sockets = new Set<Socket>();

  server.on('request', (request, response) => {
    const answer = (status: number, headers: OutgoingHttpHeaders = {}) => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(status, { [mark.name]: mark.value, 'content-type': 'text/plain', ...headers });
      response.end(status < 400 ? '' : UNREACHABLE_BODY);
    };
    response.on('error', () => {});
    if (!isAuthorized(request.headers)) return answer(407, CHALLENGE);
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') return answer(400);
    if (url.hostname === GREETING_HOST) return answer(200);
    const fail = (error: unknown) => {
      if (!response.destroyed) answer(failures.note(url.hostname, portOf(url), error));
    };
    try {
      forward(agent, request, response, url, fail);
    } catch (error) {
      fail(error);
    }
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (isAuthorized(request.headers)) tunnel(guard, failures, request.url, client, head);
    else refuseTunnel(client, 407);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    username: USERNAME,
    password,
    mark,
    greetingUrl: `http://${GREETING_HOST}/`,
    hasDenied: failures.hasDenied,
    reasonOf: failures.reasonOf,
    async close() {
      const closed = once(server, 'close');
      server.close();
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface FailureMemory extends Pick<EgressProxy, 'hasDenied' | 'reasonOf'> {
  /** Remembers a failure and returns its status: 403 if the guard refused the host, and otherwise 502. */
  note(hostname: string, port: number, error: unknown): 403 | 502;
  forget(hostname: string, port: number): void;
}

/** Remembers the latest failures by host and port, since the answer to the browser must not say why. */
function createFailureMemory(onDenied: (host: string, why: UrlRefusal) => void): FailureMemory {
  const denials = new Set<string>();
  const reasons = new Map<string, string>();
  return {
    note(hostname, port, error) {
      const key = keyOf(hostname, port);
      reasons.delete(key);
      if (!(error instanceof GuardRefusal)) {
        reasons.set(key, failureReasonOf(error));
        if (reasons.size > MAX_REMEMBERED) reasons.delete(reasons.keys().next().value!);
        return 502;
      }
      denials.delete(key);
      denials.add(key);
      if (denials.size > MAX_REMEMBERED) denials.delete(denials.values().next().value!);
      onDenied(`${hostname}:${port}`, error.why);
      return 403;
    },
    forget(hostname, port) {
      denials.delete(keyOf(hostname, port));
      reasons.delete(keyOf(hostname, port));
    },
    hasDenied: (hostname, port) => denials.has(keyOf(hostname, port)),
    reasonOf: (hostname, port) => reasons.get(keyOf(hostname, port)),
  };
}

/** Callers pass an IPv6 address with brackets or without. */
const keyOf = (hostname: string, port: number): string => `${hostname.replace(/^\[|\]$/g, '')}:${port}`;

const UNREACHABLE_BODY = `${UNREACHABLE}\n`;
const CHALLENGE = { 'proxy-authenticate': 'Basic realm="egress"' };

/** Answers CONNECT: opens the upstream connection through the guard and pipes bytes both ways, with backpressure. */
function tunnel(
  guard: Dial,
  failures: FailureMemory,
  authority: string | undefined,
  client: Duplex,
  head: Buffer,
): void {
  const abort = new AbortController();
  client.on('error', () => client.destroy());
  client.on('close', () => abort.abort());
  const target = URL.parse(`https://${authority}`);
  if (!target) {
    refuseTunnel(client, 400);
    return;
  }
  const port = portOf(target);
  guard.dial(target.hostname, port, { signal: abort.signal, exemptOnly: port !== 443 }).then(
    (upstream) => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      // One pipeline there and back destroys both ends when one of them fails. Two would add so many listeners to each
      // that Node warns of a leak.
      pipeline(client, upstream, client, () => {});
    },
    (error: unknown) => {
      if (!client.destroyed) refuseTunnel(client, failures.note(target.hostname, port, error));
    },
  );
}

function refuseTunnel(client: Duplex, status: number): void {
  client.end(
    `HTTP/1.1 ${status} ${status === 407 ? 'Proxy Authentication Required' : 'Unreachable'}\r\n` +
      (status === 407 ? `proxy-authenticate: ${CHALLENGE['proxy-authenticate']}\r\n` : '') +
      `content-length: ${UNREACHABLE_BODY.length}\r\nconnection: close\r\n\r\n${UNREACHABLE_BODY}`,
  );
}

/** Node's connection pool, whose connections the guard opens. */
class GuardedAgent extends Agent {
  readonly #guard: Pick<Guard, 'dial'>;

  constructor(guard: Pick<Guard, 'dial'>) {
    super({ keepAlive: true, timeout: UPSTREAM_IDLE_MS, maxFreeSockets: 32 });
    this.#guard = guard;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ) {
    this.#guard.dial(options.host ?? '', Number(options.port)).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined;
  }
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Removes hop-by-hop headers; order, case and repetition stay, since some sites tell browsers from robots by them. */
const endToEnd = (raw: string[]) =>
  raw.filter((_part, index) => !HOP_BY_HOP.has(raw[index - (index % 2)]!.toLowerCase()));

/** Sends a plain HTTP request on and pipes the response back, with backpressure. */
function forward(
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  fail: (error: unknown) => void,
) {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const hasBody = length !== undefined || coding !== undefined;
  const upstream = sendRequest({
    agent,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url),
    path: url.pathname + url.search,
    method: request.method,
    headers: endToEnd(request.rawHeaders),
    setHost: false,
    // Browsers accept such responses too.
    insecureHTTPParser: true,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  upstream.on('response', (answered) => {
    try {
      response.writeHead(answered.statusCode!, endToEnd(answered.rawHeaders));
    } catch (error) {
      answered.destroy();
      return fail(error);
    }
    pipeline(answered, response, () => {});
  });
  upstream.on('error', (error) => {
    // A keep-alive connection may close just as it is reused, which says nothing about the server.
    const isStale = upstream.reusedSocket && !hasBody && !response.headersSent && !response.destroyed;
    if (isStale) forward(agent, request, response, url, fail);
    else fail(error);
  });
  response.on('close', () => upstream.destroy());
  if (hasBody) pipeline(request, upstream, () => {});
  else upstream.end();
}
