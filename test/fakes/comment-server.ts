import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string | undefined;
}

/** An answer in place of the usual one. */
export interface Refusal {
  /** `GET /path`, as a prefix. */
  at: string;
  status: number;
  headers?: Record<string, string>;
  message?: string;
  /** True if the host does what is asked nevertheless, and only its answer is lost. */
  isDone?: boolean;
}

export interface Reply {
  status: number;
  json?: unknown;
  headers?: Record<string, string>;
}

export interface CommentServer {
  url: string;
  requests: HostRequest[];
  /** Each is used once. */
  refusals: Refusal[];
  close(): Promise<void>;
}

/** Serves the API of a host of repositories on loopback. */
export async function serveHost(
  answer: (request: HostRequest & { query: URLSearchParams }) => Reply,
): Promise<CommentServer> {
  const requests: HostRequest[] = [];
  const refusals: Refusal[] = [];
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of message.setEncoding('utf8')) text += chunk;
    const { method = 'GET', headers } = message;
    const { pathname, searchParams } = new URL(message.url!, 'http://host');
    const body = text === '' ? undefined : (JSON.parse(text) as { body?: string }).body;
    const request = { method, path: pathname, headers, body };
    requests.push(request);
    const index = refusals.findIndex(({ at }) => `${method} ${pathname}`.startsWith(at));
    const [refusal] = index < 0 ? [] : refusals.splice(index, 1);
    const reply = refusal && !refusal.isDone ? undefined : answer({ ...request, query: searchParams });
    if (!refusal) return send(response, reply!);
    const { status, message: reason = 'Refused', headers: more } = refusal;
    send(response, { status, json: { message: reason }, ...(more && { headers: more }) });
  };
  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refusals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, json, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(json === undefined ? undefined : JSON.stringify(json));
}

/** One page of a list, with the Link header of GitHub and GitLab. */
export function pageReply(url: string, entries: readonly unknown[], query: URLSearchParams): Reply {
  const size = Math.min(100, Number(query.get('per_page') ?? 20));
  const page = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(entries.length / size));
  const to = (number: number, rel: string) => {
    const target = new URL(url);
    target.search = new URLSearchParams({ ...Object.fromEntries(query), page: String(number) }).toString();
    return `<${target}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    to(1, 'first'),
  ];
  return {
    status: 200,
    json: entries.slice((page - 1) * size, page * size),
    headers: { link: links.join(', ') },
  };
}
