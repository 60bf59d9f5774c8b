import { destination, pino } from 'pino';
import { BadConfig, readConfig } from './config.ts';
import { DataDirInUse } from './db/data-dir.ts';
import { runCommand } from './roles/commands.ts';

runCommand(process.argv.slice(2), () => ({
  config: readConfig(process.env),
  log: pino({ level: 'warn' }, destination({ dest: 2, sync: true })),
})).then(
  ({ output, exitCode }) => {
    (exitCode === 0 ? process.stdout : process.stderr).write(output);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const plain = error instanceof BadConfig || error instanceof DataDirInUse;
    const text =
      error instanceof Error ? (plain ? error.message : (error.stack ?? error.message)) : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  },
);
