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
import { reasonOf } from './failure-reason.ts';
import { type Guard, GuardRefusal, portOf, type Refusal } from './ssrf-guard.ts';

export interface EgressProxy {
  port: number;
  /** What a browser answers to the proxy's challenge; other processes on the machine do not know it. */
  username: string;
  password: string;
  /** Name and value of the header on answers that are the proxy's own, which no site can make up. */
  mark: { name: string; value: string };
  /** An address the proxy answers by itself, there to be asked with credentials first. */
  greetingUrl: string;
  /** Whether the guard has refused the host lately. */
  hasDenied(hostname: string, port: number): boolean;
  /** Why a host that the guard let pass gave no answer lately, see `reasonOf`; the pages in the browser never learn it. */
  reasonOf(hostname: string, port: number): string | undefined;
  close(): Promise<void>;
}

const GREETING_HOST = 'egress.invalid';
const REMEMBERED = 1000;
const UPSTREAM_IDLE_MS = 4_000;
const MAX_HEADER_BYTES = 262_144;

/**
 * A forward proxy on loopback, through which a browser sees the world that the guard lets it see. Chromium
 * resolves names by itself and follows redirects, preloads and sockets on ways that no interception in the
 * page covers, so the check sits where the connections are made.
 */
export async function createEgressProxy(options: {
  guard: Pick<Guard, 'dial'>;
  onDenied: (host: string, why: Refusal) => void;
}): Promise<EgressProxy> {
  const { onDenied } = options;
  const username = 'browser';
  const password = randomBytes(24).toString('base64url');
  const credentials = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const mark = { name: 'x-egress-proxy', value: randomBytes(12).toString('base64url') };
  const denials = new Set<string>();
  const reasons = new Map<string, string>();
  const sockets = new Set<Duplex>();
  const guard: Pick<Guard, 'dial'> = {
    async dial(hostname, port, dialing) {
      const socket = await options.guard.dial(hostname, port, dialing);
      // Hosts may be exempted while a browser runs.
      denials.delete(keyOf(hostname, port));
      reasons.delete(keyOf(hostname, port));
      return socket;
    },
  };

  const agent = new GuardedAgent(guard);
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    keepAliveTimeout: 60_000,
  });

  function isAuthorized(headers: IncomingHttpHeaders) {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === credentials.length && timingSafeEqual(given, credentials);
  }

  /** The same few words whatever happened, and 403 or 502 only tells refused from not answering. */
  function noteFailure(hostname: string, port: number, error: unknown) {
    const key = keyOf(hostname, port);
    reasons.delete(key);
    if (!(error instanceof GuardRefusal)) {
      reasons.set(key, reasonOf(error));
      if (reasons.size > REMEMBERED) reasons.delete(reasons.keys().next().value!);
      return 502;
    }
    const host = `${hostname}:${port}`;
    denials.delete(key);
    denials.add(key);
    if (denials.size > REMEMBERED) denials.delete(denials.values().next().value!);
    onDenied(host, error.why);
    return 403;
  }

  function answer(response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(status, { [mark.name]: mark.value, 'content-type': 'text/plain', ...headers });
    response.end(status < 400 ? '' : UNREACHABLE);
  }

  server.on('request', (request, response) => {
    response.on('error', () => {});
    if (!isAuthorized(request.headers)) return answer(response, 407, CHALLENGE);
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') return answer(response, 400);
    if (url.hostname === GREETING_HOST) return answer(response, 200);
    const fail = (error: unknown) => {
      if (!response.destroyed) answer(response, noteFailure(url.hostname, portOf(url), error));
    };
    try {
      forward(agent, request, response, url, fail);
    } catch (error) {
      fail(error);
    }
  });

  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    sockets.add(client);
    const abort = new AbortController();
    client.on('error', () => client.destroy());
    client.on('close', () => {
      sockets.delete(client);
      abort.abort();
    });
    const refuse = (status: number) =>
      client.end(
        `HTTP/1.1 ${status} ${status === 407 ? 'Proxy Authentication Required' : 'Unreachable'}\r\n` +
          (status === 407 ? `proxy-authenticate: ${CHALLENGE['proxy-authenticate']}\r\n` : '') +
          `content-length: ${UNREACHABLE.length}\r\nconnection: close\r\n\r\n${UNREACHABLE}`,
      );
    if (!isAuthorized(request.headers)) return refuse(407);
    const target = URL.parse(`https://${request.url}`);
    if (!target) return refuse(400);
    const port = portOf(target);
    guard.dial(target.hostname, port, { signal: abort.signal, exemptOnly: port !== 443 }).then(
      (upstream) => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) upstream.write(head);
        // Two pipelines, each of which destroys both of its ends when one of them fails.
        pipeline(client, upstream, () => {});
        pipeline(upstream, client, () => {});
      },
      (error: unknown) => {
        if (!client.destroyed) refuse(noteFailure(target.hostname, port, error));
      },
    );
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
    username,
    password,
    mark,
    greetingUrl: `http://${GREETING_HOST}/`,
    hasDenied: (hostname, port) => denials.has(keyOf(hostname, port)),
    reasonOf: (hostname, port) => reasons.get(keyOf(hostname, port)),
    async close() {
      const closed = once(server, 'close');
      server.close();
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Some name an IPv6 address in brackets and some without. */
const keyOf = (hostname: string, port: number): string => `${hostname.replace(/^\[|\]$/g, '')}:${port}`;

const UNREACHABLE = 'The address could not be reached.\n';
const CHALLENGE = { 'proxy-authenticate': 'Basic realm="egress"' };

/** Node's own pool of connections, opened by the guard. */
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

/** Keeps order, case and repetition as they are: some sites tell browsers from robots by them. */
const endToEnd = (raw: string[]) =>
  raw.filter((_part, index) => !HOP_BY_HOP.has(raw[index - (index % 2)]!.toLowerCase()));

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
    // As lenient as the browser behind it is.
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
    // A kept connection may close just as it is used, which says nothing about the server.
    const isStale = upstream.reusedSocket && !hasBody && !response.headersSent && !response.destroyed;
    if (isStale) forward(agent, request, response, url, fail);
    else fail(error);
  });
  response.on('close', () => upstream.destroy());
  if (hasBody) pipeline(request, upstream, () => {});
  else upstream.end();
}
