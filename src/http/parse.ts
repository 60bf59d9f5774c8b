import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { cutText } from '../lib/cut-text.ts';
import { type Issue, invalidArgument, invalidRequest } from '../lib/errors.ts';
import { nextSlice } from '../lib/in-slices.ts';
import { phrase } from '../lib/phrase.ts';
import { type JsonLimits, JsonScan } from './json-scan.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_ISSUES = 20;

/** Bytes of JSON that are gone through before others have their turn: a few milliseconds. */
const SLICE_BYTES = 262_144;

const ORDINARY: JsonLimits = { keysPerObject: 10_000, keys: 50_000, values: 100_000 };
/** Of operations that take bodies of many megabytes, as those of live documents do. */
const LARGE: JsonLimits = { keysPerObject: 200_000, keys: 500_000, values: 1_000_000 };

interface Reading {
  dataOptional?: boolean | undefined;
  isLarge?: boolean | undefined;
  /** Large content in `data.data` is not parsed: an empty value of its kind stands for it. */
  leavesContent?: boolean | undefined;
}

/** Reads a request body down to its `data`; INVALID_ARGUMENT for all that is not `{ data: {…} }`. */
export async function readData(body: Buffer | undefined, reading: Reading = {}): Promise<unknown> {
  if (!body || body.length === 0) throw invalidArgument('The request body is empty.');
  const scan = new JsonScan(body, reading.isLarge ? LARGE : ORDINARY);
  scan.advance(SLICE_BYTES);
  while (!scan.isDone) {
    await nextSlice();
    scan.advance(SLICE_BYTES);
  }
  // Parsing is one step that may take as long as many slices.
  if (body.length > SLICE_BYTES) await nextSlice();
  const document = parseJson(leavesContentOf(reading, body) ? (withoutContent(body, scan) ?? body) : body);
  if (!isObject(document)) throw invalidArgument('The request body must be a JSON object.');
  const issues = [...scan.issues, ...(scan.isPlain ? [] : unstorableIn(document))];
  if (issues.length > 0) throw invalidRequest(issues.slice(0, MAX_ISSUES));
  if (document.data === undefined && reading.dataOptional) return {};
  if (!isObject(document.data)) {
    throw invalidArgument('The request body must hold its parameters in one object named data.');
  }
  return document.data;
}

/** True if the content in a body is large enough to be left. */
export const leavesContentOf = ({ leavesContent }: Reading, body: Uint8Array): boolean =>
  (leavesContent ?? false) && body.length > SLICE_BYTES;

/** The body with an empty value in the place of large content; undefined if that has to be looked at. */
function withoutContent(body: Buffer, scan: JsonScan): Buffer | undefined {
  if (!scan.content || !scan.isPlain || scan.issues.length > 0) return undefined;
  const [from, to] = scan.content;
  const kind = /^\s*:\s*(["[{])/.exec(body.toString('latin1', from, from + 100))?.[1];
  if (kind === undefined) return undefined;
  if (!isUtf8(body)) throw invalidArgument('The request body is not valid UTF-8.');
  const empty = kind === '"' ? '""' : kind === '[' ? '[]' : '{}';
  return Buffer.concat([body.subarray(0, from), Buffer.from(`:${empty}`), body.subarray(to)]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(body: Buffer): unknown {
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

/** Refuses what no field can hold, in a value that is no body, such as a query. */
export function requireStorable(root: unknown): void {
  const issues = unstorableIn(root);
  if (issues.length > 0) throw invalidRequest(issues);
}

/**
 * What no field can hold: keys that reach an object's prototype, and text or numbers that the database cannot store.
 * Nesting is bounded already.
 */
function unstorableIn(root: unknown): Issue[] {
  const issues: Issue[] = [];
  const at: (string | number)[] = [];
  const add = (code: string, message: (name: string) => string) => {
    // As everywhere else, paths begin within data.
    const path = at[0] === 'data' ? at.slice(1) : [...at];
    issues.push({ path, code, message: message(pathName(path)) });
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.includes('\0')) add('nul', (name) => `${name} must not contain a NUL character.`);
      else if (!value.isWellFormed()) add('unicode', (name) => `${name} is not well-formed Unicode.`);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) add('number', (name) => `${name} is too large a number.`);
    } else if (typeof value === 'object' && value !== null) visitMembers(value);
  };
  const visitMembers = (value: object): void => {
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (issues.length >= MAX_ISSUES) return;
      at.push(isList ? Number(key) : key);
      if (FORBIDDEN_KEYS.has(key)) add('key', (name) => `${name} is not an allowed key.`);
      else if (key.includes('\0') || !key.isWellFormed())
        add('key', () => 'A key holds a character that is not allowed.');
      else visit(inner);
      at.pop();
    }
  };
  visit(root);
  return issues;
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
