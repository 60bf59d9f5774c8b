import './private-files.ts';
import { destination, pino } from 'pino';
import { readConfig } from './config.ts';
import { runCommand } from './roles/commands.ts';
import { explain } from './roles/explain.ts';

runCommand(process.argv.slice(2), () => ({
  config: readConfig(process.env),
  log: pino({ level: 'warn' }, destination({ dest: 2, sync: true })),
  onProgress: (line) => void process.stderr.write(`${line}\n`),
})).then(
  ({ output, notice = '', exitCode }) => {
    process.stderr.write(notice);
    (exitCode === 0 ? process.stdout : process.stderr).write(output);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  },
);
