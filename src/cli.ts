import './private-files.ts';
import { readConfig } from './config.ts';
import { runCommand } from './roles/commands/commands.ts';
import { openLog } from './roles/log/create-log.ts';
import { explain } from './roles/settings/explain-failure.ts';

runCommand(process.argv.slice(2), () => {
  const config = readConfig(process.env);
  return {
    config,
    log: openLog(process.stderr, { level: 'warn', format: config.REDPEN_LOG }),
    onProgress: (line) => void process.stderr.write(`${line}\n`),
  };
}).then(
  ({ output, notice = '', exitCode, isAnswer = exitCode === 0 }) => {
    process.stderr.write(notice);
    (isAnswer ? process.stdout : process.stderr).write(output);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  },
);
