import type { z } from 'zod';
import { cutText } from '../lib/cut-text.ts';
import { type Issue, invalidArgument, invalidRequest } from '../lib/errors.ts';
import { phrase } from '../lib/phrase.ts';

const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads a request body down to its `data`; INVALID_ARGUMENT for all that is not `{ data: {…} }`. */
export function readData(body: Uint8Array | undefined, dataOptional: boolean): unknown {
  const document = parseJson(body);
  if (!isObject(document)) throw invalidArgument('The request body must be a JSON object.');
  requireStorable(document);
  if (document.data === undefined && dataOptional) return {};
  if (!isObject(document.data)) {
    throw invalidArgument('The request body must hold its parameters in one object named data.');
  }
  return document.data;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(body: Uint8Array | undefined): unknown {
  if (!body || body.length === 0) throw invalidArgument('The request body is empty.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalidArgument('The request body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument('The request body is not valid JSON.');
  }
}

/**
 * Refuses what no field can hold: nesting that would overflow the stack of whoever writes it out again,
 * keys that reach an object's prototype, and text or numbers that the database cannot store.
 */
export function requireStorable(root: unknown): void {
  const issues: Issue[] = [];
  const stack: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let next = stack.pop(); next && issues.length < 20; next = stack.pop()) {
    const { value } = next;
    // As everywhere else, paths begin within data.
    const path = next.path[0] === 'data' ? next.path.slice(1) : next.path;
    const name = pathName(path);
    if (typeof value === 'string') {
      if (value.includes('\0'))
        issues.push({ path, code: 'nul', message: `${name} must not contain a NUL character.` });
      else if (!value.isWellFormed()) {
        issues.push({ path, code: 'unicode', message: `${name} is not well-formed Unicode.` });
      }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value))
        issues.push({ path, code: 'number', message: `${name} is too large a number.` });
    } else if (typeof value === 'object' && value !== null) {
      if (next.path.length >= MAX_DEPTH) {
        throw invalidArgument(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
      }
      for (const [key, inner] of Object.entries(value)) {
        const part = Array.isArray(value) ? Number(key) : key;
        const at = [...path, part];
        if (FORBIDDEN_KEYS.has(key)) {
          issues.push({ path: at, code: 'key', message: `${pathName(at)} is not an allowed key.` });
        } else if (key.includes('\0') || !key.isWellFormed()) {
          issues.push({ path: at, code: 'key', message: 'A key holds a character that is not allowed.' });
        } else stack.push({ value: inner, path: [...next.path, part] });
      }
    }
  }
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Checks data against a schema; one INVALID_ARGUMENT with every problem. */
export function parseData<T extends z.ZodType>(schema: T, data: unknown): z.output<T> {
  const parsed = schema.safeParse(data, { error: phrase });
  if (parsed.success) return parsed.data;
  throw invalidRequest(issuesOf(parsed.error));
}

/** Every problem as a sentence; of a union, those of the member that came nearest. */
export function issuesOf(error: z.ZodError): Issue[] {
  const seen = new Set<string>();
  return error.issues
    .flatMap((issue) => flatten(issue, []))
    .filter((issue) => {
      const key = JSON.stringify([issue.path, issue.message]);
      return !seen.has(key) && seen.add(key);
    });
}

type ZodIssue = z.core.$ZodIssue;

function flatten(issue: ZodIssue, parents: (string | number)[]): Issue[] {
  const path = [...parents, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unrecognized_key',
      message: `${pathName([...path, key])} is not a known field.`,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.filter(isOfRightType).sort((a, b) => depthOf(b) - depthOf(a))[0];
    if (nearest) return nearest.flatMap((inner) => flatten(inner, path));
  }
  return [{ path, code: issue.code, message: sentence(issue, path) }];
}

const isOfRightType = (issues: readonly ZodIssue[]): boolean =>
  !issues.some(({ code, path }) => path.length === 0 && ['invalid_type', 'invalid_value'].includes(code));

const depthOf = (issues: readonly ZodIssue[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));

/** What a field `must` or `is` goes on behind its name; any other message stands for itself. */
const sentence = ({ message }: ZodIssue, path: (string | number)[]): string =>
  /^(must|is) /.test(message) ? `${pathName(path)} ${message}.` : message;

const pathName = (path: (string | number)[]): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    const plain = /^[\w-]{1,60}$/.test(part) ? part : JSON.stringify(cutText(part, 60));
    return name === '' ? plain : `${name}.${plain}`;
  }, '') || 'data';
