import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from '../../lib/error-fields.ts';
import { traceFields } from '../../lib/tracing/tracing.ts';
import { createPrettyLine } from './pretty-line.ts';

export type LogFormat = 'pretty' | 'json';

export interface LogOptions {
  /** Minimum level that is logged. */
  level: string;
  format: LogFormat;
  /** True to color the pretty format. */
  hasColors?: boolean;
}

/** Keys whose values are secret, at the top level of an entry or one level below. */
const SECRETS = ['token', 'authToken', 'password', 'authorization', 'secret', 'apiKey', 'cookie'];

/** A log with one line per entry and secrets removed. */
export function createLog({ level, format, hasColors = false }: LogOptions, out: DestinationStream): Logger {
  const prettyLine = format === 'pretty' ? createPrettyLine(hasColors) : undefined;
  return pino(
    {
      level,
      base: { service: 'redpen' },
      // Loki, Datadog and jq read level names and UTC in ISO 8601 without configuration.
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      mixin: traceFields,
      // At the end of the line, since people rarely read ids.
      mixinMergeStrategy: (fields, trace) => ({ ...fields, ...trace }),
      redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`), 'headers'], remove: true },
    },
    prettyLine ? { write: (line) => out.write(prettyLine(line)) } : out,
  );
}

type Stream = typeof process.stdout | typeof process.stderr;

/** The given format; by default pretty on a terminal and JSON to a file or a pipe. */
export const formOfLog = (stream: Pick<Stream, 'isTTY'>, asked: LogFormat | undefined): LogFormat =>
  asked ?? (stream.isTTY ? 'pretty' : 'json');

/** Opens a log on a stream of the process. */
export function openLog(
  stream: Stream,
  { level, format: asked }: { level: string; format?: LogFormat | undefined },
): Logger {
  const format = formOfLog(stream, asked);
  // Pretty lines appear at once for the reader, and JSON lines are buffered for speed; `flush` before an exit writes the
  // rest. Without a minimum length `flush` waits for nothing.
  const out = destination({ dest: stream.fd, sync: format === 'pretty', minLength: 1 });
  // No `flushSync`, which fatal entries would call: lines that are being written would come after later ones.
  const inOrder = {
    write: (line: string) => void out.write(line),
    flush: (done: (error?: Error) => void) => out.flush(done),
  };
  // `hasColors` also respects NO_COLOR and TERM.
  return createLog({ level, format, hasColors: stream.isTTY && stream.hasColors() }, inOrder);
}
