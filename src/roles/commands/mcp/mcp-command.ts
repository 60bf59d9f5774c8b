import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRedpenError } from '../../../../packages/client/src/errors.ts';
import { createMcpServer } from '../../../mcp/protocol/mcp-server.ts';
import { reachService } from '../../../mcp/service/reach-service.ts';
import { visibleText } from '../../../report/plain-text.ts';
import { explain } from '../../settings/explain-failure.ts';
import { parseWords } from '../../terminal/command-help.ts';
import { withoutSecrets } from '../review/review-command.ts';
import { WrongUse } from '../review/review-settings.ts';
import { createMcpCommand, type McpFlags } from './mcp-program.ts';
import { type McpPlan, planMcp } from './plan-mcp.ts';
import { fetchFrom, type ServiceFinder } from './service-place.ts';

export interface McpIo extends Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'> {
  environment: NodeJS.ProcessEnv;
  /** Relative paths start here. */
  folder: string;
  /** Aborted by a signal that asks the command to end. */
  signal: AbortSignal;
}

/**
 * Runs `redpen mcp` with these words until standard input ends, and returns its exit code: 1 if it cannot start. A
 * service that cannot be reached or refuses the credentials is no reason to end: the answers of the tools say so.
 */
export async function serveAssistant(words: string[], io: McpIo): Promise<number> {
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {});
  const say = (line: string) => void io.stderr.write(`redpen: ${line}\n`);
  let flags: McpFlags = {};
  const command = createMcpCommand((given) => {
    flags = given;
  });
  const printed = parseWords(command, 'redpen mcp', words);
  if (printed) {
    (printed.isHelp ? io.stdout : io.stderr).write(withoutSecrets(printed.output));
    return printed.isHelp ? 0 : 1;
  }
  try {
    const { environment, folder } = io;
    const plan = planMcp({ flags, environment, folder });
    const finder = await finderOf(plan, io, say);
    await serve(plan, finder, io, say);
    return 0;
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    io.stderr.write(`${withoutSecrets(error.message)}\n`);
    return 1;
  }
}

async function finderOf(
  { service }: McpPlan,
  { environment }: McpIo,
  say: (line: string) => void,
): Promise<ServiceFinder> {
  if ('url' in service) {
    return { find: async () => service, forget: () => {}, close: async () => {} };
  }
  // The database is loaded for a folder alone.
  const { folderService } = await import('./folder-service.ts');
  return folderService({ ...service, environment, say });
}

/** Time between looks at the parent process. */
const PARENT_MS = 1_000;

async function serve(
  { isPerson, isReadOnly }: McpPlan,
  finder: ServiceFinder,
  { stdin, stdout, signal }: McpIo,
  say: (line: string) => void,
): Promise<void> {
  const send = fetchFrom(finder);
  const reach = (client: string | undefined, ends: AbortSignal) =>
    reachService({
      baseUrl: 'http://redpen.internal',
      fetch: send,
      credentials: {},
      isPerson,
      assistant: client,
      signal: ends,
    });
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  stdin.once('end', end).once('close', end);
  stdout.once('error', end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  // The pipe of a parent that was killed may be held open by another process.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), PARENT_MS).unref();
  const create = (): Server => {
    const server = createMcpServer({ reach, isReadOnly, subscribes: false });
    server.onclose = end;
    return server;
  };
  const served = serveStdio(create, {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => say(visibleText(error.message)),
  });
  // The assistant need not wait for it, and the person reads of a fault before the first question.
  void reach(undefined, signal)
    .call('/v2/agents/findings/count', {})
    .catch((error: unknown) => {
      if (!signal.aborted) say(isRedpenError(error) ? visibleText(error.message) : explain(error));
    });
  await ended.promise;
  clearInterval(watch);
  await served.close();
  await finder.close();
  // Open standard input would keep the process alive.
  stdin.destroy();
}
