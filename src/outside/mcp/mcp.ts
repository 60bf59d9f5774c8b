import type { Fields } from '../../lib/json.ts';

/** A server as a run knows it: templates are filled, secrets are in the headers. */
export interface McpServer {
  id: string;
  url: string;
  /** Sent with every request to the server's own origin, and to no other. */
  headers: Record<string, string>;
  /** For each exchange. */
  timeoutMs: number;
  /** Only these are listed and can be called; by default all. */
  allowedTools?: readonly string[] | undefined;
}

export interface McpTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Fields;
}

export interface McpConnection {
  /** The protocol that both settled on, such as `2026-07-28`. */
  readonly protocol: string;
  /** As they were when the connection was made; what the server changes later counts for nothing. */
  readonly tools: readonly McpTool[];
  /** Why tools that the server offers are not among them; whole sentences. */
  readonly notes: readonly string[];
  /** Answers what the tool said, errors included; throws `McpFailure` only where the signal aborts. */
  call(name: string, input: Fields, signal: AbortSignal): Promise<{ text: string; isError: boolean }>;
  close(): Promise<void>;
}

/** The server cannot be used; the message is for the caller. */
export class McpFailure extends Error {
  override name = 'McpFailure';
  readonly kind: 'refused-host' | 'unreachable' | 'unauthorized' | 'protocol' | 'timeout' | 'aborted';

  constructor(kind: McpFailure['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** Connects to servers of the Model Context Protocol over streamable HTTP, through the outbound guard. */
export type ConnectMcp = (server: McpServer, options: { signal: AbortSignal }) => Promise<McpConnection>;
