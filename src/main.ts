import { createDeps, createLog } from './boot.ts';
import { printSettings, readConfig } from './config.ts';
import { startRoles } from './roles/start.ts';

const STOP_WITHIN_MS = 9_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(printSettings());
    return;
  }
  const config = readConfig(process.env);
  const log = createLog(config.REDPEN_LOG_LEVEL);
  const deps = await createDeps(config, log);
  const roles = await startRoles(config, deps);
  log.info({ url: roles.url, roles: config.REDPEN_ROLES, database: deps.database.kind }, 'ready');

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // Whatever hangs, the process is gone in time; what it left open is taken up at the next start.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await roles.stop();
    await deps.close();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
}

/** What is wrong, for the operator; where it is a fault of the program, also where. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : undefined;
  if (code === 'EADDRINUSE')
    return `The address is in use already (${error.message}). Set PORT to another one.`;
  const isProgramFault = [TypeError, ReferenceError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isProgramFault ? (error.stack ?? error.message) : error.message || code || error.name;
}

main().catch((error: unknown) => {
  process.stderr.write(`Redpen cannot start. ${explain(error)}\n`);
  process.exit(1);
});
