import { readFileSync, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Finding, ok, sizeInWords, warning } from './check.ts';

const PACKAGE = join(import.meta.dirname, '../../../package.json');
const MIN_MEMORY = 900 * 1_048_576;

/** Time at which the files of this version were written, in epoch ms. */
export const builtAt = (): number => statSync(PACKAGE).mtimeMs;

/** Version and machine, for the first line of a bug report. */
export function checkProgram(memory: number = totalmem()): Finding {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  const cores = availableParallelism();
  const found = `Redpen ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cores} ${cores === 1 ? 'processor' : 'processors'}, ${sizeInWords(memory)} of memory.`;
  return memory < MIN_MEMORY
    ? warning(found, 'The service and a browser together need a gigabyte.')
    : ok(found);
}
