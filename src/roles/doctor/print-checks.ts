import { styleText } from 'node:util';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { CheckStatus, Finding } from './check.ts';

export interface Check extends Finding {
  name: string;
  /** Duration. */
  ms: number;
}

/** Output: a terminal, on which lines are wrapped and colored, or a pipe or file. */
export interface Screen {
  isTerminal: boolean;
  columns: number;
  hasColors: boolean;
}

const STATUSES: CheckStatus[] = ['ok', 'warning', 'failed', 'skipped'];
const MARKS: Record<CheckStatus, string> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };
const COLORS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;
const MIN_COLUMNS = 60;
const MAX_COLUMNS = 110;

/** The worst status: `failed`, `warning` or `ok`. */
export const worstOf = (checks: readonly Finding[]): CheckStatus =>
  (['failed', 'warning'] as const).find((status) => checks.some((check) => check.status === status)) ?? 'ok';

export function printJson(checks: readonly Check[]): string {
  const shown = checks.map(({ name, status, found, advice, ms }) => ({
    name,
    status,
    found,
    ...(advice !== undefined && { advice }),
    ms: Math.round(ms),
  }));
  return `${JSON.stringify({ status: worstOf(checks), checks: shown }, undefined, 2)}\n`;
}

export const printChecks = (checks: readonly Check[], screen: Screen): string =>
  screen.isTerminal ? forTerminal(checks, screen) : forPipe(checks);

/** One line for each check, for grep and cut. */
function forPipe(checks: readonly Check[]): string {
  const width = widestOf(checks);
  const lines = checks.map(({ name, status, found, advice }) =>
    `${status.padEnd(7)}  ${name.padEnd(width)}  ${found}${advice === undefined ? '' : ` ${advice}`}`.trimEnd(),
  );
  return `${[...lines, summary(checks)].join('\n')}\n`;
}

function forTerminal(checks: readonly Check[], { columns, hasColors }: Screen): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    hasColors ? styleText(format, text, { validateStream: false }) : text;
  const indent = widestOf(checks) + 6;
  const room = Math.min(Math.max(columns, MIN_COLUMNS), MAX_COLUMNS) - indent;
  const lines = checks.flatMap(({ name, status, found, advice }) => {
    const [first = '', ...rest] = wrapWords(found, room);
    const isQuiet = status === 'skipped';
    const head = `  ${paint(COLORS[status], MARKS[status])} ${paint(isQuiet ? 'gray' : 'bold', name.padEnd(indent - 4))}`;
    const dim = (text: string) => (isQuiet ? paint('gray', text) : text);
    const next = (text: string) => `${' '.repeat(indent)}${text}`;
    const [hint, ...more] = advice === undefined ? [] : wrapWords(advice, room - 2);
    return [
      `${head}${dim(first)}`,
      ...rest.map((line) => next(dim(line))),
      ...(hint === undefined ? [] : [next(paint(COLORS[status], `→ ${hint}`))]),
      ...more.map((line) => next(paint(COLORS[status], `  ${line}`))),
    ];
  });
  return `\n${lines.join('\n')}\n\n  ${paint(COLORS[worstOf(checks)], summary(checks))}\n\n`;
}

const widestOf = (checks: readonly Check[]): number => Math.max(...checks.map(({ name }) => name.length));

function summary(checks: readonly Check[]): string {
  const counts = STATUSES.flatMap((status) => {
    const count = checks.filter((check) => check.status === status).length;
    return count === 0 ? [] : [`${count} ${count > 1 && status === 'warning' ? 'warnings' : status}`];
  });
  return counts.join(', ');
}
