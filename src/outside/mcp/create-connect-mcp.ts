import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { Agent } from 'undici';
import type { Fields } from '../../lib/json.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { untilAborted } from '../../lib/time.ts';
import { version } from '../../lib/version.ts';
import type { Guard } from '../net/ssrf-guard.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { type ListedTool, listTools } from './list-tools.ts';
import { type ConnectMcp, type McpConnection, McpFailure, type McpServer } from './mcp.ts';
import { httpStatusOf, toMcpFailure } from './mcp-failure.ts';

const CLIENT = { name: 'Redpen', version };
const MAX_TIMEOUT_MS = 120_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Per connection: a server that breaks off every stream would otherwise be asked again without end. */
const MAX_RECONNECTIONS = 20;
const MIN_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 60_000;
/** Statuses of servers that do not speak streamable HTTP. */
const NO_STREAMABLE_HTTP = new Set([400, 404, 405, 406, 415, 501]);

type Transport = StreamableHTTPClientTransport | SSEClientTransport;

/**
 * Tries the newest protocol first, and older ones for servers that do not know it. Servers get nothing from this
 * client: it offers no sampling, no elicitation and no roots, and follows no authorization that a server names.
 */
export const createConnectMcp =
  ({ guard }: { guard: Guard }): ConnectMcp =>
  async (server, { signal }) => {
    const refusal = guard.checkUrl(server.url);
    if (refusal === 'not-a-url' || refusal === 'scheme' || refusal === 'userinfo') {
      throw new McpFailure('refused-host', 'The address of the server is not a URL that can be used.');
    }
    if (refusal) throw new McpFailure('refused-host', 'The server could not be reached.');
    const timeoutMs = Math.min(server.timeoutMs, MAX_TIMEOUT_MS);
    const connector = new Connector(guard, { ...server, timeoutMs });
    try {
      return await connector.open(signal);
    } catch (error) {
      await connector.drop();
      throw toMcpFailure(error, signal);
    }
  };

class Connector {
  private readonly guard: Guard;
  private readonly server: McpServer;
  private readonly agent: Agent;
  private readonly ended = new AbortController();
  private phase: AbortSignal | undefined;
  private client: Client | undefined;
  private transport: Transport | undefined;
  private isHandshake = false;

  constructor(guard: Guard, server: McpServer) {
    this.guard = guard;
    this.server = server;
    const { connect } = guard;
    this.agent = new Agent({ connect, allowH2: false, connections: 16, maxHeaderSize: 65_536 });
  }

  async open(signal: AbortSignal): Promise<McpConnection> {
    const limit = AbortSignal.timeout(Math.min(2 * this.server.timeoutMs, MAX_TIMEOUT_MS));
    this.phase = AbortSignal.any([signal, limit, this.ended.signal]);
    const client = await this.connectWithFallback();
    const { tools, notes } = await listTools(client, this.server.allowedTools, {
      signal: this.phase,
      timeout: this.server.timeoutMs,
    });
    this.phase = undefined;
    return {
      protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      notes,
      call: (name, input, callSignal) =>
        this.call(
          client,
          tools.find((tool) => tool.name === name),
          input,
          callSignal,
        ),
      close: () => this.close(),
    };
  }

  private async connectWithFallback(): Promise<Client> {
    const probeMs = Math.ceil(this.server.timeoutMs / 2);
    try {
      return await this.connectOver('http', { mode: 'auto', probe: { timeoutMs: probeMs } });
    } catch (error) {
      if (this.isHandshake) return await this.connectOlder(error);
      // An old server may fail on the question which protocols it knows, or never answer it.
      const { kind } = toMcpFailure(error, this.phase);
      if (kind !== 'timeout' && kind !== 'protocol') throw error;
      return await this.connectOver('http', { mode: 'legacy' }).catch((later) => this.connectOlder(later));
    }
  }

  private async connectOlder(error: unknown): Promise<Client> {
    if (!NO_STREAMABLE_HTTP.has(httpStatusOf(error) ?? 0)) throw error;
    return await this.connectOver('stream', { mode: 'legacy' }).catch((later) => {
      // The error of the current transport says more than that the old one is missing too.
      throw toMcpFailure(later).kind === 'protocol' ? error : later;
    });
  }

  private async connectOver(
    kind: 'http' | 'stream',
    versionNegotiation: { mode: 'auto' | 'legacy'; probe?: { timeoutMs: number } },
  ): Promise<Client> {
    this.phase?.throwIfAborted();
    this.isHandshake = false;
    const client = new Client(CLIENT, {
      capabilities: {},
      versionNegotiation,
      inputRequired: { autoFulfill: false },
    });
    const transport = this.transportOf(kind);
    // Errors that matter also fail a request.
    client.onerror = () => {};
    this.client = client;
    this.transport = transport;
    const connecting = client.connect(transport as never, {
      signal: this.phase,
      timeout: this.server.timeoutMs,
    });
    try {
      await untilAborted(connecting, this.phase);
    } catch (error) {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      throw error;
    }
    return client;
  }

  private transportOf(kind: 'http' | 'stream'): Transport {
    const fetch = guardedFetch({
      guard: this.guard,
      agent: this.agent,
      server: this.server,
      userAgent: `${CLIENT.name}/${CLIENT.version}`,
      phaseSignal: () => this.phase,
      onMethod: (method) => {
        if (method === 'initialize') this.isHandshake = true;
      },
      lastingStream: kind === 'stream',
    });
    const url = new URL(this.server.url);
    const options = { fetch, redirectPolicy: 'follow' as const };
    if (kind === 'stream') return new SSEClientTransport(url, options);
    let reconnections = 0;
    return new StreamableHTTPClientTransport(url, {
      ...options,
      reconnectionScheduler: (reconnect, delay) => {
        if (++reconnections > MAX_RECONNECTIONS) return;
        // A delay beyond the range of a timer would fire at once.
        const timer = setTimeout(reconnect, Math.min(Math.max(delay, MIN_RECONNECT_MS), MAX_RECONNECT_MS));
        return () => clearTimeout(timer);
      },
    });
  }

  private async call(
    client: Client,
    tool: ListedTool | undefined,
    input: Fields,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }> {
    if (signal.aborted) throw new McpFailure('aborted', 'It was cancelled.');
    if (!tool) return { text: 'There is no such tool.', isError: true };
    try {
      const result = await client.callTool(
        { name: tool.name, arguments: input },
        {
          signal: AbortSignal.any([signal, this.ended.signal]),
          timeout: this.server.timeoutMs,
          // The tool as it was listed, so that later changes of the list have no effect.
          toolDefinition: { name: tool.name, inputSchema: tool.givenSchema } as Tool,
        },
      );
      return { text: storable(textOfResult(result)), isError: result.isError === true };
    } catch (error) {
      const failure = toMcpFailure(error, signal);
      if (failure.kind === 'aborted') throw failure;
      return { text: storable(failure.message), isError: true };
    }
  }

  private async close(): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.phase = AbortSignal.timeout(CLOSE_TIMEOUT_MS);
    if (this.transport instanceof StreamableHTTPClientTransport) {
      await this.transport.terminateSession().catch(() => {});
    }
    await this.drop();
  }

  /** Closes everything without notifying the server. */
  async drop(): Promise<void> {
    this.ended.abort(new McpFailure('aborted', 'The connection was closed.'));
    await this.client?.close().catch(() => {});
    await this.agent.destroy();
  }
}

const MAX_CHARS = 5_000_000;

/** Turns a tool's result into text; content of other kinds is replaced by its description. */
function textOfResult(result: { content?: unknown; structuredContent?: unknown }): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.map((block) => textOfBlock(block as Record<string, unknown>));
  // Servers usually repeat structured content as text.
  if (result.structuredContent !== undefined && !blocks.some((block) => block?.type === 'text')) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  return texts.join('\n\n').slice(0, MAX_CHARS);
}

function textOfBlock(block: Record<string, unknown>): string {
  switch (block?.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return `[${block.type}, ${String(block.mimeType)}, left out]`;
    case 'resource_link':
      return `[link to ${String(block.name ?? 'a resource')}: ${String(block.uri)}]`;
    case 'resource': {
      const { uri, text, mimeType } = (block.resource ?? {}) as Record<string, unknown>;
      return typeof text === 'string' ? text : `[file ${String(uri)}, ${String(mimeType)}, left out]`;
    }
    default:
      return '[content of another kind, left out]';
  }
}
