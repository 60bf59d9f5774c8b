import { styleText } from 'node:util';
import pretty from 'pino-pretty';

/** Keys that are shown differently or are of no use at a terminal. */
const OMITTED_KEYS = new Set(['level', 'time', 'msg', 'service', 'err']);
const COLORS = 'fatal:bgRed,error:red,warn:yellow,info:green,debug:blue,trace:gray,message:reset';
const LEVEL_WIDTH = 'ERROR'.length;
/** Control characters, line separators, and marks that reverse the direction of text on a terminal. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const NEEDS_QUOTES = /[\s"'=\\]|^$/u;

const gray = (text: string): string => styleText('gray', text, { validateStream: false });

type Entry = Record<string, unknown>;
type Colors = Record<'gray', (text: string) => string>;

/** Formats a JSON line for people. The stack of an error follows, indented. */
export function createPrettyLine(hasColors: boolean): (line: string) => string {
  return pretty.prettyFactory({
    colorize: hasColors,
    customColors: COLORS,
    translateTime: 'SYS:HH:MM:ss.l',
    customPrettifiers: { time: (time) => (hasColors ? gray(`${time}`) : `${time}`) },
    ignore: 'service',
    hideObject: true,
    messageFormat: (entry, messageKey, _levelLabel, { colors }) => messageOf(entry, messageKey, colors),
  });
}

function messageOf(entry: Entry, messageKey: string, colors: Colors): string {
  const level = String(entry.level);
  const { err } = entry as { err?: { message?: unknown; stack?: unknown } };
  const isFault = level === 'error' || level === 'fatal';
  const stack = isFault && typeof err?.stack === 'string' ? err.stack : undefined;
  const fields = Object.entries(entry).filter(([key]) => !OMITTED_KEYS.has(key));
  if (err !== undefined && stack === undefined) fields.push(['error', err.message]);
  const words = [
    ' '.repeat(Math.max(0, LEVEL_WIDTH - level.length)) + shown(String(entry[messageKey] ?? '')),
    ...fields.map(([key, value]) => {
      const name = `${shown(key)}=`;
      // Ids are for searches and disturb reading.
      return /(?:Id|_id)$/.test(key)
        ? colors.gray(name + printed(value))
        : colors.gray(name) + printed(value);
    }),
  ];
  return words.join(' ') + (stack === undefined ? '' : indented(stack, colors));
}

function printed(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return printed(value.join(','));
  if (typeof value === 'object' && value !== null) return shown(JSON.stringify(value));
  const text = String(value);
  return NEEDS_QUOTES.test(text) ? shown(JSON.stringify(text)) : shown(text);
}

/** Escapes text of pages and callers, which could start lines or control the terminal. */
const shown = (text: string): string =>
  text.replace(UNSAFE, (character) => JSON_ESCAPES[character] ?? unicodeEscape(character));

const JSON_ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const indented = (stack: string, colors: Colors): string =>
  stack
    .split('\n')
    .map((line, index) => `\n    ${index === 0 ? shown(line) : colors.gray(shown(line))}`)
    .join('');
