import { Cron } from 'croner';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SHORT = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `a, b and c`. */
const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const two = (number: number): string => String(number).padStart(2, '0');

/** The numbers of a field with plain numbers only. */
function numbersOf(field: string, least: number, most: number): number[] | undefined {
  const numbers = field.split(',').map((part) => (/^\d{1,2}$/.test(part) ? Number(part) : Number.NaN));
  return numbers.every((one) => one >= least && one <= most) ? numbers : undefined;
}

const stepOf = (field: string): number | undefined => {
  const step = /^\*\/(\d{1,2})$/.exec(field)?.[1];
  return step === undefined || Number(step) === 0 ? undefined : Number(step);
};

const weekdayOf = (text: string): number | undefined => {
  const number = SHORT.indexOf(text.toLowerCase());
  if (number >= 0) return number;
  return /^[0-7]$/.test(text) ? Number(text) % 7 : undefined;
};

function weekdaysOf(field: string): string | undefined {
  const range = /^(\w+)-(\w+)$/.exec(field);
  const [from, to] = [weekdayOf(range?.[1] ?? ''), weekdayOf(range?.[2] ?? '')];
  if (from !== undefined && to !== undefined) return `from ${WEEKDAYS[from]} to ${WEEKDAYS[to]}`;
  const days = field.split(',').map(weekdayOf);
  if (days.some((day) => day === undefined)) return undefined;
  const names = days.map((day) => WEEKDAYS[day ?? 0] ?? '');
  return names.length === 1 ? `every ${names[0]}` : `on ${listOf(names)}`;
}

/** The days of an expression, such as `every Monday`; undefined if no short words say them. */
function daysOf(day: string, month: string, weekday: string): string | undefined {
  const months = month === '*' ? [] : numbersOf(month, 1, 12);
  if (!months) return undefined;
  const names = listOf(months.map((one) => MONTHS[one - 1] ?? ''));
  const inMonths = months.length === 0 ? '' : ` in ${names}`;
  if (day === '*') {
    const words = weekday === '*' ? 'every day' : weekdaysOf(weekday);
    return words && `${words}${inMonths}`;
  }
  // With both, cron starts on either; that needs more words than the list of the next times.
  if (weekday !== '*') return undefined;
  if (day === 'L') return `on the last day of ${months.length === 0 ? 'each month' : names}`;
  const days = numbersOf(day, 1, 31);
  return (
    days &&
    `on day${days.length === 1 ? '' : 's'} ${listOf(days.map(String))} of ${months.length === 0 ? 'each month' : names}`
  );
}

function timesOf(minute: string, hour: string): string | undefined {
  const everyMinutes = minute === '*' ? 1 : stepOf(minute);
  const everyHours = hour === '*' ? 1 : stepOf(hour);
  if (everyMinutes !== undefined && hour === '*')
    return everyMinutes === 1 ? 'every minute' : `every ${everyMinutes} minutes`;
  const minutes = numbersOf(minute, 0, 59);
  if (!minutes) return undefined;
  if (everyHours !== undefined) {
    const hours = everyHours === 1 ? 'every hour' : `every ${everyHours} hours`;
    return minutes.length === 1 && minutes[0] === 0
      ? `${hours}, on the hour`
      : `${hours}, at minute ${listOf(minutes.map(String))}`;
  }
  const hours = numbersOf(hour, 0, 23);
  if (!hours || hours.length * minutes.length > 6) return undefined;
  return `at ${listOf(hours.flatMap((one) => minutes.map((other) => `${two(one)}:${two(other)}`)))}`;
}

/** What a cron expression means, as a sentence; undefined if it is too unusual for one. */
export function describeCron(cron: string): string | undefined {
  const [minute, hour, day, month, weekday, ...others] = cron.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || others.length > 0) return undefined;
  const times = timesOf(minute, hour);
  const days = daysOf(day, month, weekday);
  if (!times || !days) return undefined;
  const isWithinDay = times.startsWith('every');
  const words = isWithinDay ? (days === 'every day' ? times : `${times}, ${days}`) : `${days} ${times}`;
  return `${words.replace(/^./, (first) => first.toUpperCase())}.`;
}

/** The next starts, or why the expression or its time zone is wrong. The service reads them in the same way. */
export function nextTimes(
  cron: string,
  timeZone: string,
  count: number,
  from = new Date(),
): { times: Date[] } | { problem: string } {
  if (cron.trim().split(/\s+/).length !== 5) return { problem: 'Give five fields.' };
  try {
    const clock = new Cron(cron.trim(), { timezone: timeZone, mode: '5-part', paused: true });
    const times = clock.nextRuns(count, from);
    return times.length > 0 ? { times } : { problem: 'The expression names no time in the future.' };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, '') : String(error);
    return { problem: reason };
  }
}
