import './private-files.ts';
import { printSettings, readConfig } from './config.ts';
import { BadConfig } from './roles/bad-settings.ts';
import { explain } from './roles/explain.ts';

const STOP_WITHIN_MS = 9_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(printSettings());
    return;
  }
  const [unknown] = process.argv.slice(2);
  // A setting given as an argument would else be taken for granted, and have no effect.
  if (unknown !== undefined) {
    throw new BadConfig(
      `There is no argument ${unknown}. Settings are environment variables: see npm start -- --help.`,
    );
  }
  const config = readConfig(process.env);
  // After the settings, since all that it brings along takes a while to load.
  const [{ createDeps }, { startRoles }, { openLog }, { watchFaults }] = await Promise.all([
    import('./boot.ts'),
    import('./roles/start.ts'),
    import('./roles/create-log.ts'),
    import('./roles/watch-faults.ts'),
  ]);
  const log = openLog(process.stdout, { level: config.REDPEN_LOG_LEVEL, format: config.REDPEN_LOG });
  const deps = await createDeps(config, log);
  const roles = await startRoles(config, deps);
  log.info({ url: roles.url, roles: config.REDPEN_ROLES, database: deps.database.kind }, 'ready');

  let stopping = false;
  const stop = async (reason: string, exitCode = 0) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    // Whatever hangs, the process is gone in time; what it left open is taken up at the next start.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await roles.stop();
    await deps.close();
    log.info('stopped');
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  watchFaults(log, stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`Redpen cannot start. ${explain(error)}\n`);
  process.exit(1);
});
