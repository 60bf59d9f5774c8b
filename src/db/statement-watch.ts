import { LogThrottle } from '../lib/log-throttle.ts';
import { createLruCache } from '../lib/lru-cache.ts';
import { shorten } from '../lib/text/cut-text.ts';
import { currentOperation, isTraced, recordSpan } from '../lib/tracing/tracing.ts';
import { slowStatements, statementSeconds } from './database-metrics.ts';

/** Gets the text of a statement, in which parameters stand for values, and its time including the way to the server. */
export type OnStatement = (text: string, ms: number, error: unknown) => void;

interface WatchOptions {
  log: { warn(data: object, message: string): void };
  /** Statements that take as long are logged; 0 logs none. */
  slowMs: number;
}

/** Log lines a minute about one statement. */
const LINES_A_MINUTE = 1;
const MAX_TEXT = 2_000;

/** Measures statements, records them in the trace of their request or job, and logs the slow ones. */
export function watchStatements({ log, slowMs }: WatchOptions): OnStatement {
  const lines = new LogThrottle(LINES_A_MINUTE);
  return (text, ms, error) => {
    statementSeconds.observe(ms / 1_000);
    if (isTraced()) {
      const { summary, attributes } = describeStatement(text);
      recordSpan(summary, attributes, { ms, error });
    }
    if (slowMs === 0 || ms < slowMs) return;
    slowStatements.inc();
    const more = lines.take(text);
    if (!more) return;
    const operation = currentOperation();
    const statement = describeStatement(text).attributes['db.query.text'];
    log.warn(
      { ms: Math.round(ms), ...(operation !== undefined && { operation }), statement, ...more },
      'statement is slow',
    );
  };
}

interface StatementWords {
  /** Command and main table, such as `INSERT events`. */
  summary: string;
  /** By the semantic conventions for databases. */
  attributes: Record<string, string> & { 'db.query.text': string };
}

/** Longer texts have hundreds of parameters and hardly occur twice. */
const KNOWN_CHARS = 30_000;
const known = createLruCache<StatementWords>(1_000);

/** A statement in a few words. Values are no part of it, since they are parameters. */
export function describeStatement(text: string): StatementWords {
  const before = known.get(text);
  if (before !== undefined) return before;
  const described = describe(text.slice(0, KNOWN_CHARS));
  if (text.length <= KNOWN_CHARS) known.set(text, described);
  return described;
}

const COMMAND =
  /\b(?:select|insert|update|delete|merge|begin|commit|rollback|savepoint|release|listen|notify)\b/i;
const NAME = /(?:"?\w+"?\.)?"?\w+"?/.source;
/** After `from` there may be a function, whose name is followed by its arguments. */
const TABLE = new RegExp(
  `\\b(?:into|update)\\s+(?:only\\s+)?(${NAME})|\\bfrom\\s+(?:only\\s+)?(${NAME})(?!["\\w.]|\\s*\\()`,
  'i',
);

function describe(text: string): StatementWords {
  const main = withoutParentheses(text);
  const operation = COMMAND.exec(main)?.[0].toUpperCase() ?? 'STATEMENT';
  const [, written, read] = TABLE.exec(main) ?? TABLE.exec(text) ?? [];
  const table = (written ?? read)?.replaceAll('"', '');
  const summary = table === undefined ? operation : `${operation} ${table}`;
  return {
    summary,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table !== undefined && { 'db.collection.name': table }),
      'db.query.summary': summary,
      'db.query.text': shorten(text.replace(/\s+/g, ' ').trim(), MAX_TEXT),
    },
  };
}

/** A text whose string literals are replaced by `'?'`. */
export const withoutLiterals = (text: string): string => text.replace(/'(?:[^']|'')*'/g, "'?'");

/** The main query, without those in parentheses, such as the ones of `with`. */
function withoutParentheses(text: string): string {
  let depth = 0;
  return text.replace(/[()]|[^()]+/g, (part) => {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    else if (depth > 0) return ' ';
    return part;
  });
}
