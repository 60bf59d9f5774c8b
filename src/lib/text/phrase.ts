import type { z } from 'zod';
import { asList, type Fields } from '../json.ts';

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** All URLs in requests must be http or https. */
const FORMATS: Record<string, string> = {
  email: 'an email address',
  url: 'a valid http(s) URL',
};

/**
 * The problem of a value as a predicate, such as `must be a string`. For `safeParse(…, { error: phrase })`; a schema's
 * own `error` takes precedence.
 */
export function phrase(issue: RawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${anyOf(issue.values.map(String).map((value) => value || 'empty'))}`;
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'of another form'}`;
    case 'invalid_union':
      return ofUnion(issue);
    case 'invalid_key':
      return issue.issues[0]?.message;
    default:
      return undefined;
  }
}

const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

const count = (origin: string, number: number): string => {
  const [one, many] = UNITS[origin] ?? ['part', 'parts'];
  return `${number} ${number === 1 ? one : many}`;
};

function tooSmall(origin: string, least: number, inclusive: boolean): string {
  if (isNumeric(origin)) return inclusive ? `must be at least ${least}` : `must be more than ${least}`;
  return least === 1 ? 'must not be empty' : `must have at least ${count(origin, least)}`;
}

function tooBig(origin: string, max: number, inclusive: boolean): string {
  if (isNumeric(origin)) return inclusive ? `must be at most ${max}` : `must be less than ${max}`;
  return `must have at most ${count(origin, max)}`;
}

const isNumeric = (origin: string): boolean => ['number', 'int', 'bigint'].includes(origin);

function ofUnion(issue: RawIssue & { code: 'invalid_union' }): string {
  if (issue.discriminator !== undefined) {
    const given = (issue.input as Fields | undefined)?.[issue.discriminator];
    if (given === undefined) return 'is required';
    return `must be ${anyOf(asList(issue.options).map(String))}`;
  }
  const wanted = issue.errors.flatMap(([first]) =>
    first?.message.startsWith('must be ') ? first.message.slice('must be '.length) : [],
  );
  return wanted.length === 0 ? 'must be of another form' : `must be ${anyOf([...new Set(wanted)])}`;
}

function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
