import './private-files.ts';
import type { Logger } from 'pino';
import { type Config, listWarnings, readConfig } from './config.ts';
import { describeVersion, ownVersion } from './lib/version.ts';
import { printSettings } from './roles/docs/print-settings.ts';
import type { LogFormat } from './roles/log/create-log.ts';
import { BadConfig, badSettings } from './roles/settings/bad-settings.ts';
import { explain } from './roles/settings/explain-failure.ts';
import { checkAddress } from './roles/setup/check-address.ts';
import { checkPlaces } from './roles/setup/check-places.ts';

const STOP_WITHIN_MS = 9_000;
/** Time for a start to finish after a signal: a large migration takes a while. */
const START_WITHIN_MS = 60_000;

const hasArgument = (...words: string[]): boolean => words.some((word) => process.argv.includes(word));

/** The reason of a start that ends because a signal stops the process while it waits for the database. */
class StoppedWhileStarting extends Error {}

/** Opens the database and serves. `signal` ends the wait for a database server that is starting. */
async function start(config: Config, log: Logger, form: LogFormat, signal: AbortSignal) {
  const [{ createDeps }, { startRoles }, { announceReady }, { isWatched }] = await Promise.all([
    import('./boot.ts'),
    import('./roles/start.ts'),
    import('./roles/announce-ready.ts'),
    import('./roles/terminal/is-watched.ts'),
  ]);
  const deps = await createDeps(config, log, {}, signal);
  const roles = await startRoles(config, deps);
  await announceReady(config, {
    ...deps,
    url: roles.url,
    format: form,
    isTerminal: isWatched(process),
  });
  return { deps, roles };
}

async function main(): Promise<void> {
  if (hasArgument('--help', '-h')) {
    process.stdout.write(printSettings(process.stdout.columns));
    return;
  }
  if (hasArgument('--version', '-V')) {
    process.stdout.write(`${describeVersion()}\n`);
    return;
  }
  const [unknown] = process.argv.slice(2);
  // Settings are environment variables, so that an argument would silently have no effect.
  if (unknown !== undefined) {
    throw new BadConfig(
      `There is no argument ${unknown}. Settings are environment variables: see npm start -- --help.`,
    );
  }
  const config = readConfig(process.env);
  const problems = [...checkPlaces(config), ...(await checkAddress(config))];
  if (problems.length > 0) throw badSettings(problems);
  // Loaded after the settings are checked, because its dependencies take a while to load.
  const { formOfLog, openLog } = await import('./roles/log/create-log.ts');
  const log = openLog(process.stdout, { level: config.REDPEN_LOG_LEVEL, format: config.REDPEN_LOG });
  let stopping = false;
  const waiting = new AbortController();
  const stop = async (reason: string, exitCode = 0) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const overdueStart = setTimeout(() => process.exit(1), START_WITHIN_MS);
    waiting.abort(new StoppedWhileStarting());
    const parts = await started.catch(() => undefined);
    clearTimeout(overdueStart);
    // The failed start ends the process.
    if (parts === undefined) return;
    const { deps, roles } = parts;
    // Ends the process even if something hangs; the next start resumes unfinished work.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await roles.stop();
    await deps.close();
    log.info('stopped');
    // Exiting earlier could lose lines that are being written.
    log.flush(() => process.exit(exitCode));
  };
  // Before the start: without a handler a signal kills the process and leaves the database to crash recovery.
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  log.info(ownVersion(), 'starting');
  for (const warning of listWarnings(process.env)) log.warn(warning);
  const started = start(config, log, formOfLog(process.stdout, config.REDPEN_LOG), waiting.signal);
  try {
    await started;
  } catch (error) {
    if (!(error instanceof StoppedWhileStarting)) throw error;
    log.info('stopped');
    log.flush(() => process.exit(0));
    return;
  }
  const { watchFaults } = await import('./roles/watch-faults.ts');
  watchFaults(log, stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`Redpen cannot start. ${explain(error)}\n`);
  process.exit(1);
});
