import { createHash } from 'node:crypto';
import { INTERNAL_HOST_HINT } from '../../lib/allow-host-hint.ts';
import { fillUrl, UnfitValue } from '../../lib/text/fill-url.ts';
import { type McpConnection, McpFailure, type McpTool } from '../../outside/mcp/mcp.ts';
import { mcpServer } from '../../shapes/agents/agent-behavior.ts';
import { authHeaders } from '../../shapes/agents/auth-headers.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { RunFault } from '../core/run-error.ts';

/** A connected server with the tools that the model may call. */
export interface OpenServer {
  id: string;
  connection: McpConnection;
  tools: readonly McpTool[];
}

export interface ToolServers {
  open: OpenServer[];
  /** One line about each server, for the model. */
  account: string;
  close(): Promise<void>;
}

interface Refusal {
  id: string;
  why: string;
  retryable: boolean;
}

/**
 * Connects to the agent's MCP servers. The model and the log learn which of them cannot be used; throws `RunFault` if
 * none can.
 */
export async function openServers(task: PageTask, context: PageContext): Promise<ToolServers> {
  const given = Array.isArray(task.execution.mcpServers) ? task.execution.mcpServers : [];
  const settled = await Promise.allSettled(given.map((server) => openServer(server, task, context)));
  const outcomes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const open = outcomes.filter((one): one is OpenServer => 'connection' in one);
  const refusals = outcomes.filter((one): one is Refusal => 'why' in one);
  const close = async () => {
    await Promise.all(open.map(({ connection }) => connection.close().catch(() => {})));
  };
  const broken = settled.find((one) => one.status === 'rejected');
  if (broken) {
    await close();
    throw broken.reason;
  }
  if (open.length === 0) {
    const reasons = refusals.map(({ id, why }) => `${id}: ${why}`).join(' ');
    throw new RunFault('CONTEXT_GATHERING_ERROR', `None of the tool servers can be used. ${reasons}`.trim(), {
      retryable: refusals.some(({ retryable }) => retryable),
    });
  }
  const lines = [
    ...open.map(({ id, tools }) => `${id}: connected, with ${tools.map(({ name }) => name).join(', ')}.`),
    ...refusals.map(({ id, why }) => `${id}: not there this time. ${why}`),
  ];
  return { open, account: lines.join('\n'), close };
}

async function openServer(
  given: unknown,
  task: PageTask,
  context: PageContext,
): Promise<OpenServer | Refusal> {
  const { url: pageUrl } = task;
  const { id, url, auth, allowedTools, timeoutMs } = mcpServer.parse(given);
  const refuse = (why: string, retryable: boolean, hint = ''): Refusal => {
    const message = `The tool server ${id} cannot be used: ${why}${hint}`;
    context.log({ level: 'warn', kind: 'tool', message, data: { url: pageUrl, server: id } });
    return { id, why, retryable };
  };
  const startedAt = Date.now();
  try {
    const address = fillUrl(url, task.values);
    const connection = await context.connectMcp(
      { id, url: address, headers: authHeaders(auth), timeoutMs, allowedTools },
      { signal: context.signal },
    );
    const tools = unchangedTools({ id, address }, connection.tools, context).filter(
      ({ name }) => allowedTools?.includes(name) ?? true,
    );
    for (const message of connection.notes)
      context.log({ level: 'warn', kind: 'tool', message: `${id}: ${message}`, data: { server: id } });
    if (tools.length === 0) {
      await connection.close();
      return refuse('It offers no tool that may be used.', false);
    }
    context.log({
      level: 'info',
      kind: 'tool',
      message: `The tool server ${id} offers ${tools.map(({ name }) => name).join(', ')}.`,
      data: { url: pageUrl, server: id, protocol: connection.protocol, ms: Date.now() - startedAt },
    });
    return { id, connection, tools };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof UnfitValue) return refuse(error.message, false);
    if (!(error instanceof McpFailure)) throw error;
    const isRefused = error.kind === 'refused-host';
    const hint = isRefused ? ` ${INTERNAL_HOST_HINT}` : '';
    return refuse(error.message, !isRefused && error.kind !== 'unauthorized', hint);
  }
}

/**
 * The tools that are as the run first saw them. A server must not add tools during a run, nor change the meaning of one
 * (a "rug pull").
 */
function unchangedTools(
  { id, address }: { id: string; address: string },
  tools: readonly McpTool[],
  context: PageContext,
): McpTool[] {
  const digests = tools.map((tool) => [tool.name, digestOf(tool)] as const);
  const first = context.once(`tools of ${id} at ${address}`, () => new Map(digests));
  const changed = digests.filter(([name, digest]) => first.get(name) !== digest).map(([name]) => name);
  if (changed.length > 0)
    context.log({
      level: 'warn',
      kind: 'tool',
      message: `The tool server ${id} changed its tools during the run; the changed tools are not used: ${changed.join(', ')}.`,
      data: { server: id },
    });
  return tools.filter(({ name }) => !changed.includes(name));
}

/** Digest of all that a model reads of a tool. */
const digestOf = ({ name, description, inputSchema }: McpTool): string =>
  createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema]))
    .digest('base64');
