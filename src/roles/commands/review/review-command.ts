import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseWords } from '../../terminal/command-help.ts';
import { planReview } from './plan-review.ts';
import { readConfigFile } from './read-config.ts';
import { createReviewCommand, type ReviewFlags } from './review-program.ts';
import { type ReviewPlan, WrongUse } from './review-settings.ts';
import { exitCodes, type ReviewIo, runReview } from './run-review.ts';

/** Runs `redpen review` with these words, and returns its exit code. */
export async function review(words: string[], io: ReviewIo): Promise<number> {
  // A reader that has gone, such as `head`, must not end the command before it has cleaned up.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {});
  const read = readWords(words);
  if ('exitCode' in read) {
    (read.exitCode === exitCodes.good ? io.stdout : io.stderr).write(withoutSecrets(read.output));
    return read.exitCode;
  }
  try {
    const config = await readConfigFile(io.folder, read.flags.config);
    const plan = planReview({ ...read, config, environment: io.environment, folder: io.folder });
    if (plan.watch) {
      // Watching loads more than a review does.
      const { runWatch } = await import('./run-watch.ts');
      return await runWatch(plan, plan.watch, io, () => plan.open && openReport(plan, io));
    }
    const exitCode = await runReview(plan, io);
    if (plan.open && exitCode !== exitCodes.interrupted) openReport(plan, io);
    return exitCode;
  } catch (error) {
    if (error instanceof WrongUse) {
      io.stderr.write(`${withoutSecrets(error.message)}\n`);
      return exitCodes.wrongUse;
    }
    const { explain } = await import('../../settings/explain-failure.ts');
    io.stderr.write(`${explain(error)}\n`);
    return exitCodes.notReviewed;
  }
}

type Typed = { urls: string[]; flags: ReviewFlags };

function readWords(words: string[]): Typed | { output: string; exitCode: number } {
  let typed: Typed = { urls: [], flags: {} };
  const command = createReviewCommand((urls, flags) => {
    typed = { urls, flags };
  });
  const printed = parseWords(command, 'redpen review', words);
  if (!printed) return typed;
  return { output: printed.output, exitCode: printed.isHelp ? exitCodes.good : exitCodes.wrongUse };
}

/** A message about the command line without credentials in an address, and without the value of a misspelled flag. */
export const withoutSecrets = (message: string): string =>
  message.replaceAll(/\/\/[^\s'"]*@/g, '//…@').replaceAll(/(unknown option '--[^'=]*=)[^']*/g, '$1…');

/** Opens the HTML report with the program of the desktop. */
function openReport({ output }: ReviewPlan, { stderr }: ReviewIo): void {
  const path = join(output!, 'report.html');
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', path]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', path]
        : ['xdg-open', path];
  spawn(program!, args, { stdio: 'ignore', detached: true })
    .on('error', () => stderr.write(`No program opens ${path}.\n`))
    .unref();
}
