import { stripVTControlCharacters } from 'node:util';
import { cutText } from '../../lib/text/cut-text.ts';

/** Chromium did not start; the message is for the operator and names paths. */
export class LaunchFailure extends Error {
  override name = 'LaunchFailure';
  /** Why, in words for callers: no paths. Goes behind a colon, and has no full stop. */
  readonly brief: string;

  constructor(message: string, brief: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.brief = brief;
  }
}

/** Characters that are kept of what Chromium writes before it ends. */
const MOST_SAID = 300;

/** Explains an error of a browser start. `chromePath` is the setting CHROME_PATH; the error may be one of Playwright. */
export function launchFailureOf(error: unknown, path: string, chromePath: string | undefined): LaunchFailure {
  if (error instanceof LaunchFailure) return error;
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const program = chromePath === undefined ? 'Chromium' : 'the program of CHROME_PATH';
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const [what, detail] = reasonIn(text, typeof code === 'string' ? code : undefined);
  const said = [...text.matchAll(/^\[pid=\d+\]\[err\] (.*)$/gm)].map(([, line]) => line!);
  const words = said.length > 0 ? ` It says: ${cutText(said.join(' '), MOST_SAID)}` : '';
  const named = chromePath === undefined ? path : `${path}, which CHROME_PATH names,`;
  return new LaunchFailure(`${named} ${what}${detail}.${words}`, `${program} ${what}`, { cause: error });
}

/** Outcome of the program; `detail` is for the operator alone. */
function reasonIn(text: string, errorCode: string | undefined): [what: string, detail: string] {
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(text)?.[1];
  if (library !== undefined) return [`lacks the library ${library}`, ''];
  const [, code, signal] = /<process did exit: exitCode=(\w+), signal=(\w+)>/.exec(text) ?? [];
  if (signal !== undefined && signal !== 'null') return [`was ended by ${signal} as it started`, ''];
  if (/Timeout \d+ms exceeded/.test(text)) return ['did not answer in time', ''];
  if (code !== undefined) return [`ended at once with exit code ${code}`, ''];
  return [
    `did not start${errorCode === undefined ? '' : ` (${errorCode})`}`,
    `: ${cutText(text.split('\n')[0]!, MOST_SAID)}`,
  ];
}
