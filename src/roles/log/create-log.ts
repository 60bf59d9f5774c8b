import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from '../../lib/error-fields.ts';
import { createPrettyLine } from './pretty-line.ts';

export type LogFormat = 'pretty' | 'json';

export interface LogOptions {
  /** Least level that is logged. */
  level: string;
  format: LogFormat;
  /** Colours the pretty form. */
  hasColours?: boolean;
}

/** Keys whose values are secret, at the top of an entry or one level beneath. */
const SECRETS = ['token', 'authToken', 'password', 'authorization', 'secret', 'apiKey', 'cookie'];

/** One line an entry; what is secret is cut out before it is written. */
export function createLog({ level, format, hasColours = false }: LogOptions, out: DestinationStream): Logger {
  const prettyLine = format === 'pretty' ? createPrettyLine(hasColours) : undefined;
  return pino(
    {
      level,
      base: { service: 'redpen' },
      // Words and UTC in ISO 8601 are what Loki, Datadog and jq read without being taught.
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`), 'headers'], remove: true },
    },
    prettyLine ? { write: (line) => out.write(prettyLine(line)) } : out,
  );
}

type Stream = typeof process.stdout | typeof process.stderr;

/** The form that is asked for, or otherwise pretty on a terminal and JSON to a file or a pipe. */
export const formOfLog = (stream: Pick<Stream, 'isTTY'>, asked: LogFormat | undefined): LogFormat =>
  asked ?? (stream.isTTY ? 'pretty' : 'json');

/** Logs to the stream of the process, in the form that suits it unless one is given. */
export function openLog(
  stream: Stream,
  { level, format: asked }: { level: string; format?: LogFormat | undefined },
): Logger {
  const format = formOfLog(stream, asked);
  // Who looks on must not wait for a line, and JSON is written faster together; `flush` before an exit writes the rest.
  // Without a least length `flush` waits for nothing.
  const out = destination({ dest: stream.fd, sync: format === 'pretty', minLength: 1 });
  // Without a `flushSync`, which a fatal line would call: what is being written then would come after later lines.
  const inOrder = {
    write: (line: string) => void out.write(line),
    flush: (done: (error?: Error) => void) => out.flush(done),
  };
  // `hasColors` also heeds NO_COLOR and what TERM says.
  return createLog({ level, format, hasColours: stream.isTTY && stream.hasColors() }, inOrder);
}
