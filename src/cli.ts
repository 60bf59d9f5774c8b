import { BadConfig, readConfig } from './config.ts';
import { createLog } from './boot.ts';
import { runCommand } from './roles/commands.ts';

// The words of a command go to the running service, where there is one, since that one holds the database.
runCommand(process.argv.slice(2), () => {
  const config = readConfig(process.env);
  return { config, log: createLog('error') };
}).then(
  ({ output, exitCode }) => {
    process.stdout.write(output);
    process.exit(exitCode);
  },
  (error: unknown) => {
    const text = error instanceof Error ? (error instanceof BadConfig ? error.message : (error.stack ?? error.message)) : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);
