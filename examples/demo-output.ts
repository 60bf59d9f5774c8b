const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const COLORS: Record<string, string> = { critical: '31;1', high: '31', medium: '33', low: '36', info: '90' };

const onTerminal = process.stdout.isTTY === true;
const paint = (color: string | undefined, text: string) =>
  onTerminal && color && !process.env.NO_COLOR ? `\x1b[${color}m${text}\x1b[0m` : text;

export const say = (text: string): void => {
  console.log(text);
};

/** Shows progress: in place on a terminal, and elsewhere as one line per change. */
export function startProgress(): { show(text: string): void; end(): void } {
  let last = '';
  return {
    show(text) {
      if (text === last) return;
      last = text;
      if (onTerminal) process.stdout.write(`\r\x1b[2K  ${text}`);
      else say(`  ${text}`);
    },
    end() {
      if (onTerminal) process.stdout.write('\n');
    },
  };
}

export interface Row {
  severity: string;
  page: string;
  issue: string;
  /** An address, a word or an element. */
  place: string;
}

const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** Findings as a table, worst first, cut to the width of the terminal. */
export function printTable(rows: Row[]): void {
  const sorted = rows.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      a.page.localeCompare(b.page) ||
      a.place.localeCompare(b.place),
  );
  const header: Row = { severity: 'severity', page: 'page', issue: 'issue', place: 'what' };
  const widthOf = (key: keyof Row) => Math.max(...[header, ...sorted].map((row) => row[key].length));
  const [severity, page, issue] = [widthOf('severity'), Math.min(widthOf('page'), 28), widthOf('issue')];
  const rest = Math.max(20, (process.stdout.columns ?? 120) - severity - page - issue - 8);
  const line = (row: Row) =>
    [cut(row.page, page).padEnd(page), row.issue.padEnd(issue), cut(row.place, rest)].join('  ');

  say(`\n  ${paint('1', `${header.severity.padEnd(severity)}  ${line(header)}`)}`);
  say(
    `  ${'─'.repeat(severity)}  ${'─'.repeat(page)}  ${'─'.repeat(issue)}  ${'─'.repeat(Math.min(rest, widthOf('place')))}`,
  );
  for (const row of sorted) {
    say(`  ${paint(COLORS[row.severity], row.severity.padEnd(severity))}  ${line(row)}`);
  }
  say('');
}
