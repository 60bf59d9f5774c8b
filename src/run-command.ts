import './private-files.ts';
import { Console } from 'node:console';

const words = process.argv.slice(2);

/** Commands that manage a service. They load much of it, which a review does not need. */
async function manage(): Promise<void> {
  const [{ readConfig }, { runCommand }, { openLog }] = await Promise.all([
    import('./config.ts'),
    import('./roles/commands/commands.ts'),
    import('./roles/log/create-log.ts'),
  ]);
  const {
    output,
    notice = '',
    exitCode,
    isAnswer = exitCode === 0,
  } = await runCommand(words, () => {
    const config = readConfig(process.env);
    return {
      config,
      log: openLog(process.stderr, { level: 'warn', format: config.REDPEN_LOG }),
      onProgress: (line) => void process.stderr.write(`${line}\n`),
    };
  });
  process.stderr.write(notice);
  (isAnswer ? process.stdout : process.stderr).write(output);
  process.exitCode = exitCode;
}

async function review(): Promise<void> {
  const command = await import('./roles/commands/review/review-command.ts');
  const { stdout, stderr } = process;
  process.exitCode = await command.review(words.slice(1), {
    environment: process.env,
    folder: process.cwd(),
    stdout,
    stderr,
  });
}

async function mcp(): Promise<void> {
  // Standard output carries the protocol alone, whatever a library prints.
  globalThis.console = new Console(process.stderr);
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopped.abort());
  const { serveAssistant } = await import('./roles/commands/mcp/mcp-command.ts');
  const { stdin, stdout, stderr } = process;
  process.exitCode = await serveAssistant(words.slice(1), {
    environment: process.env,
    folder: process.cwd(),
    signal: stopped.signal,
    stdin,
    stdout,
    stderr,
  });
}

const run = words[0] === 'review' ? review : words[0] === 'mcp' ? mcp : manage;
run().catch(async (error: unknown) => {
  const { explain } = await import('./roles/settings/explain-failure.ts');
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
