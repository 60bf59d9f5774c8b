import { type Logger, pino } from 'pino';
import { until } from './until.ts';

/** A line of a log, or an error that a page reported. */
export interface LogLine {
  /** Name of the level, such as `error`. */
  level: string;
  /** The whole line. */
  text: string;
  /** The program that wrote it. */
  source: string;
}

interface Expectation {
  pattern: RegExp;
  hasCome: boolean;
}

const LEVELS: Record<number, string> = { 40: 'warn', 50: 'error', 60: 'fatal' };

/** Words with which a warning says that something failed; other warnings give advice. */
const FAILURE =
  /\b(fail(s|ed|ure)?|cannot|could not|errors?|threw|lost|refuses?|unusable|is missing|ignored)\b/;

/** Words with which a warning says that the machine is busy, which is no failure of what is tested. */
const SLOWNESS = /took longer than \d+ ms|timeout expired|timeout exceeded|Query read timeout/;

let unexpected: LogLine[] = [];
let expectations: Expectation[] = [];

/**
 * Says that the running test provokes a line of level `error` or `fatal`, a warning about a failure, or an error of a
 * page. The test fails if no such line comes. Until the end of the test file, further lines that match are expected, too.
 */
export function expectLog(pattern: RegExp): void {
  const expectation = { pattern, hasCome: false };
  expectations.push(expectation);
  unexpected = unexpected.filter(({ text }) => {
    if (!pattern.test(text)) return true;
    expectation.hasCome = true;
    return false;
  });
}

/** The same for lines that may also not come, since the test does not choose the moment of what provokes them. */
export function allowLog(pattern: RegExp): void {
  expectLog(pattern);
  expectations.at(-1)!.hasCome = true;
}

/** Notes that a program has reported a failure. */
export function noteFailure(line: LogLine): void {
  const matching = expectations.filter(({ pattern }) => pattern.test(line.text));
  for (const expectation of matching) expectation.hasCome = true;
  const isSlow = line.level === 'warn' && SLOWNESS.test(line.text);
  if (matching.length === 0 && !isSlow) unexpected.push(line);
}

/** Notes a line of JSON of a log if it reports a failure; ignores all other text. */
export function noteLogLine(text: string, source: string): void {
  if (!text.startsWith('{')) return;
  let entry: { level?: unknown; msg?: unknown; err?: unknown };
  try {
    entry = JSON.parse(text);
  } catch {
    return;
  }
  const level = typeof entry.level === 'number' ? LEVELS[entry.level] : entry.level;
  if (level !== 'error' && level !== 'fatal' && !(level === 'warn' && isFailure(entry))) return;
  // The message first, since it is the last field of a line.
  noteFailure({ level, text: `${entry.msg}: ${text.trimEnd()}`, source });
}

const isFailure = ({ msg, err }: { msg?: unknown; err?: unknown }): boolean =>
  err !== undefined || FAILURE.test(String(msg));

/** Reads the output of a program, and notes the lines that report a failure. */
export function logReader(source: string): (chunk: Buffer | string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) noteLogLine(line, source);
  };
}

/** The log of code that a test calls in its own process. */
export const testLog: Logger = pino(
  { level: 'warn' },
  { write: (line: string) => noteLogLine(line, 'the process of the test') },
);

/** The same for the entries that `isWatched` accepts. */
export const logAbout = (isWatched: (entry: Record<string, unknown>) => boolean): Logger =>
  pino(
    { level: 'warn' },
    { write: (line: string) => isWatched(JSON.parse(line)) && noteLogLine(line, 'the process of the test') },
  );

/** Ends a test: waits for the lines that it expects, unless it has failed, and throws if others have come. */
export async function endTest(hasFailed: boolean): Promise<void> {
  const pending = () => expectations.filter(({ hasCome }) => !hasCome);
  try {
    if (!hasFailed) await until(() => pending().length === 0, 'an expected line of a log');
  } catch {
    const missing = pending().map(({ pattern }) => String(pattern));
    expectations = expectations.filter(({ hasCome }) => hasCome);
    throw new Error(`No line of a log matches ${missing.join(' or ')}.`);
  } finally {
    throwUnexpected();
  }
}

/** Ends a test file. What its last tests expected is an error in the next file. */
export function endFile(): void {
  expectations = [];
  throwUnexpected();
}

function throwUnexpected(): void {
  const lines = unexpected;
  unexpected = [];
  if (lines.length === 0) return;
  const texts = lines.map(({ level, text, source }) => `${level} of ${source}: ${text}`);
  throw new Error(
    `Unexpected in the log (a test that provokes it calls expectLog):\n${texts.slice(0, 10).join('\n')}`,
  );
}
