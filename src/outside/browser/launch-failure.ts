import { stripVTControlCharacters } from 'node:util';
import { cutText } from '../../lib/text/cut-text.ts';

/** Chromium did not start; the message is for the operator and names paths. */
export class LaunchFailure extends Error {
  override name = 'LaunchFailure';
  /** Reason for callers, without paths; worded to follow a colon, without a full stop. */
  readonly brief: string;

  constructor(message: string, brief: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.brief = brief;
  }
}

/** Characters to keep of Chromium's output. */
const MAX_OUTPUT_CHARS = 300;

/** Explains an error at the start of a browser, which may come from Playwright. `chromePath` is CHROME_PATH. */
export function launchFailureOf(error: unknown, path: string, chromePath: string | undefined): LaunchFailure {
  if (error instanceof LaunchFailure) return error;
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const program = chromePath === undefined ? 'Chromium' : 'the program of CHROME_PATH';
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const [what, detail] = reasonIn(text, typeof code === 'string' ? code : undefined);
  const output = [...text.matchAll(/^\[pid=\d+\]\[err\] (.*)$/gm)].map(([, line]) => line!);
  const words = output.length > 0 ? ` It says: ${cutText(output.join(' '), MAX_OUTPUT_CHARS)}` : '';
  const named = chromePath === undefined ? path : `${path}, which CHROME_PATH names,`;
  return new LaunchFailure(`${named} ${what}${detail}.${words}`, `${program} ${what}`, { cause: error });
}

/** Predicate of a sentence about the program; `detail` is for the operator only. */
function reasonIn(text: string, errorCode: string | undefined): [what: string, detail: string] {
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(text)?.[1];
  if (library !== undefined) return [`lacks the library ${library}`, ''];
  const [, code, signal] = /<process did exit: exitCode=(\w+), signal=(\w+)>/.exec(text) ?? [];
  if (signal !== undefined && signal !== 'null') return [`was ended by ${signal} as it started`, ''];
  if (/Timeout \d+ms exceeded/.test(text)) return ['did not answer in time', ''];
  if (code !== undefined) return [`ended at once with exit code ${code}`, ''];
  return [
    `did not start${errorCode === undefined ? '' : ` (${errorCode})`}`,
    `: ${cutText(text.split('\n')[0]!, MAX_OUTPUT_CHARS)}`,
  ];
}
