import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as OlderServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** Result of a tool: text, or content blocks of the protocol. */
export type FakeAnswer = string | { content: object[]; isError?: boolean; structuredContent?: object };

export interface FakeTool {
  name: string;
  description?: string;
  inputSchema?: object;
  answer(input: Record<string, unknown>): FakeAnswer | Promise<FakeAnswer>;
}

/** Version of the protocol. `2024` is the SSE transport before streamable HTTP: one endless stream and a POST URL. */
export type Generation = '2026-07-28' | '2025-11-25' | '2024';

export interface FakeMcpServer {
  url: string;
  /** All requests, including those that `intercept` answered. */
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[];
  /** All tool calls, in order. */
  calls: { name: string; input: Record<string, unknown> }[];
  /** Read for every request, so that a test may change the tools of a running server. */
  tools: FakeTool[];
  close(): Promise<void>;
}

export interface FakeMcpOptions {
  generation?: Generation;
  /** Tools per page of the tool list; all on one page by default. */
  pageSize?: number;
  /** Called before the server; if it returns true, it has answered. For peers that violate the protocol. */
  intercept?(request: IncomingMessage, response: ServerResponse, body: string): boolean;
}

/** A server of the Model Context Protocol, built with the official SDK of its generation. */
export async function fakeMcpServer(
  tools: FakeTool[],
  { generation = '2026-07-28', pageSize, intercept }: FakeMcpOptions = {},
): Promise<FakeMcpServer> {
  const fake: Omit<FakeMcpServer, 'url' | 'close'> = { requests: [], calls: [], tools };
  const list = (cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    const end = from + (pageSize ?? fake.tools.length);
    return {
      tools: fake.tools.slice(from, end).map(({ answer: _, ...tool }) => ({
        inputSchema: { type: 'object' as const },
        ...tool,
      })),
      ...(end < fake.tools.length && { nextCursor: String(end) }),
    };
  };
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    fake.calls.push({ name, input });
    const tool = fake.tools.find((candidate) => candidate.name === name);
    if (!tool) return { content: [{ type: 'text', text: `Unknown tool ${name}` }], isError: true };
    const answer = await tool.answer(input);
    return typeof answer === 'string' ? { content: [{ type: 'text', text: answer }] } : answer;
  };
  const serve = { '2026-07-28': newest, '2025-11-25': withSessions, '2024': overOneStream }[generation];
  const answer = serve(list, call);

  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = await textOf(request);
    const { method = '', url = '', headers } = request;
    fake.requests.push({ method, path: url, headers, body });
    if (!intercept?.(request, response, body)) await answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type List = (cursor: string | undefined) => object;
type Call = (name: string, input: Record<string, unknown> | undefined) => Promise<object>;
type Serve = (
  list: List,
  call: Call,
) => (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>;

const NAME = { name: 'fake', version: '1.0.0' };

const newest: Serve = (list, call) => {
  const handler = createMcpHandler(
    () => {
      const server = new Server(NAME, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', ({ params }) => list(params?.cursor) as never);
      server.setRequestHandler('tools/call', ({ params }) => call(params.name, params.arguments) as never);
      return server;
    },
    { legacy: 'reject' },
  );
  return async (request, response, body) => {
    const answered = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method!,
        headers: request.headers as Record<string, string>,
        ...(body !== '' && { body }),
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    for await (const chunk of answered.body ?? []) response.write(chunk);
    response.end();
  };
};

const olderServer = (list: List, call: Call) => {
  const server = new OlderServer(NAME, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => list(params?.cursor) as never);
  server.setRequestHandler(
    CallToolRequestSchema,
    ({ params }) => call(params.name, params.arguments) as never,
  );
  return server;
};

const withSessions: Serve = (list, call) => {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(String(id));
    if (id !== undefined && !transport) return void response.writeHead(404).end('No such session');
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, transport!),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      await olderServer(list, call).connect(transport as never);
    }
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  };
};

const overOneStream: Serve = (list, call) => {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response, body) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      return olderServer(list, call).connect(transport as never);
    }
    const session = new URL(request.url!, 'http://fake').searchParams.get('sessionId');
    const transport = sessions.get(String(session));
    if (!transport) return void response.writeHead(405).end();
    await transport.handlePostMessage(request, response, JSON.parse(body));
  };
};

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
