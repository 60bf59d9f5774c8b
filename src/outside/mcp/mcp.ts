/** A server with filled templates, and secrets in its headers. */
export interface McpServer {
  id: string;
  url: string;
  /** Sent with requests to the server's own origin only. */
  headers: Record<string, string>;
  /** Timeout of each exchange. */
  timeoutMs: number;
  /** Tools that are listed and can be called; all by default. */
  allowedTools?: readonly string[] | undefined;
}

export interface McpTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
}

export interface McpConnection {
  /** Negotiated protocol version, such as `2026-07-28`. */
  readonly protocol: string;
  /** The tools at the time of connecting; later changes of the server have no effect. */
  readonly tools: readonly McpTool[];
  /** Sentences about tools of the server that cannot be offered. */
  readonly notes: readonly string[];
  /** Returns the tool's result, errors included; throws `McpFailure` only on abort. */
  call(
    name: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
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

/** Connects to servers of the Model Context Protocol over streamable HTTP, through the SSRF guard. */
export type ConnectMcp = (server: McpServer, options: { signal: AbortSignal }) => Promise<McpConnection>;
