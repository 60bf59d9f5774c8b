import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { visibleText } from '../../../report/plain-text.ts';

const KEPT_LINES = 30;

/** The last lines of a process, for errors. */
export function keepOutput(child: ChildProcess, onLine: (line: string) => void = () => {}): () => string {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      // It may quote a page.
      lines.push(visibleText(readable(line)));
      if (lines.length > KEPT_LINES) lines.shift();
      onLine(line);
    });
  }
  return () => lines.join('\n');
}

/** A line of the log as text. */
export function readable(line: string): string {
  try {
    const { level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const { time: _time, service: _service, version: _version, commit: _commit, ...data } = rest;
    const more = Object.keys(data).length > 0 ? ` ${JSON.stringify(data)}` : '';
    const why = err === undefined ? '' : `: ${(err as { message?: unknown }).message}`;
    return `${level}: ${msg}${why}${more}`;
  } catch {
    return line;
  }
}

/** Waits for the end of a process. `failure` says how it ended, with its last lines, unless it succeeded. */
export async function endOf(
  child: ChildProcess,
  output = keepOutput(child),
): Promise<{ failure: string | undefined }> {
  const how = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`),
    );
  });
  return { failure: how === undefined ? undefined : [how, output()].filter(Boolean).join('\n') };
}
