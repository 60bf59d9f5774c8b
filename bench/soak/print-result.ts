import type { SoakResult } from './run-soak.ts';

/** True if every promise was kept, every fault was seen, and memory was flat as far as it was judged. */
export const isPassed = ({ checks, faults, memory }: SoakResult): boolean =>
  checks.every(({ isKept }) => isKept) &&
  faults.length > 0 &&
  faults.every(({ problems }) => problems.length === 0) &&
  (memory ?? []).every(({ isFlat }) => isFlat);

const seconds = (value: number | undefined): string =>
  value === undefined ? 'never' : `${value.toFixed(1)} s`;
const clock = (value: number): string =>
  `${Math.floor(value / 60)}:${String(Math.floor(value % 60)).padStart(2, '0')}`;

function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}

/** The result as Markdown tables. */
export function printResult(result: SoakResult): string {
  const faults = result.faults.map((one) => [
    clock(one.beganAt),
    one.name,
    seconds(one.shownAfter),
    seconds(one.lasted),
    seconds(one.goneAfter),
    one.problems.join('; ') || `${one.said} / ${one.logged}`,
  ]);
  const memory = result.memory?.map(({ member, figure, early, late, growth, isFlat }) => [
    isFlat ? 'yes' : 'NO',
    `memory of ${member}, ${figure === 'held' ? 'objects and buffers' : 'resident'}`,
    `${early.toFixed(0)} → ${late.toFixed(0)} MB, ${(growth * 100).toFixed(1)} %`,
  ]) ?? [['-', 'memory', 'judged from 10 minutes on, with faults between the readings']];
  const failures = result.failures
    .toSorted((a, b) => b.during + b.outside - a.during - a.outside)
    .map(({ what, during, outside }) => [what, String(during), String(outside)]);
  return [
    '',
    `${result.minutes.toFixed(1)} minutes; ${result.calls.done} of ${result.calls.calls} calls answered; /ready took ${Math.round(result.slowestReadyMs)} ms at most; ${result.machine}`,
    '',
    table(['At', 'Fault', 'In /ready after', 'Lasted', 'Gone after', 'Said / logged'], faults),
    ...result.skipped.map(({ name, reason }) => `Not made: ${name}: ${reason}.`),
    ...(result.failedRuns.length > 0
      ? ['', 'Runs that began without a fault and ended with an error:', ...result.failedRuns]
      : []),
    '',
    table(
      ['Kept', 'Promise', 'Found'],
      [...result.checks.map(({ name, isKept, found }) => [isKept ? 'yes' : 'NO', name, found]), ...memory],
    ),
    ...(failures.length > 0 ? ['', table(['Failed calls', 'During faults', 'Otherwise'], failures)] : []),
    '',
    isPassed(result) ? 'Everything was kept.' : 'Something was not kept.',
  ].join('\n');
}
