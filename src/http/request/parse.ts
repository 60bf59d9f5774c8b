import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { type Issue, invalidArgument, invalidRequest } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { phrase } from '../../lib/text/phrase.ts';
import { pathName, unstorableIn } from '../../lib/text/storable-json.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { type JsonLimits, JsonScan } from './json-scan.ts';
import type { RequestFields } from './unknown-fields.ts';

const MAX_ISSUES = 20;

/** Bytes of JSON that are scanned in one slice of the event loop: a few milliseconds. */
const SLICE_BYTES = 262_144;

const ORDINARY: JsonLimits = { keysPerObject: 10_000, keys: 50_000, values: 100_000 };
/** Limits for operations whose content is parsed in a worker thread. */
const LARGE: JsonLimits = { keysPerObject: 200_000, keys: 500_000, values: 1_000_000 };

interface ReadOptions {
  dataOptional?: boolean | undefined;
  /** Large content in `data.data` is replaced by an empty value of its kind; a worker thread parses it later. */
  leavesContent?: boolean | undefined;
}

/**
 * Parses a request body; returns its `data`, and the names of fields next to it. Throws INVALID_ARGUMENT for anything but
 * `{ data: {…} }`.
 */
export async function readData(body: Buffer | undefined, options: ReadOptions = {}): Promise<RequestFields> {
  if (!body || body.length === 0) throw invalidArgument('The request body is empty.');
  const scan = await scanJson(body, options.leavesContent ? LARGE : ORDINARY);
  const isLeft = leavesContentOf(options, body);
  const rest = isLeft ? withoutContent(body, scan) : body;
  // Everything that is parsed here is within the ordinary limits.
  const { isPlain } = isLeft ? await scanJson(rest, ORDINARY) : scan;
  // Parsing cannot be sliced and may take as long as many slices.
  if (rest.length > SLICE_BYTES) await nextSlice();
  const document = parseJson(rest);
  if (!isObject(document)) throw invalidArgument('The request body must be a JSON object.');
  const issues = [...scan.issues, ...(isPlain ? [] : unstorableIn(document))];
  if (issues.length > 0) throw invalidRequest(issues.slice(0, MAX_ISSUES));
  const { data = options.dataOptional ? {} : undefined, ...others } = document;
  if (!isObject(data)) {
    throw invalidArgument('The request body must have its parameters in one object named data.');
  }
  return { data, beside: Object.keys(others) };
}

/** True if the content of a body is large enough to be parsed in a worker thread. */
export const leavesContentOf = ({ leavesContent }: ReadOptions, body: Uint8Array): boolean =>
  (leavesContent ?? false) && body.length > SLICE_BYTES;

async function scanJson(body: Buffer, limits: JsonLimits): Promise<JsonScan> {
  const scan = new JsonScan(body, limits);
  scan.advance(SLICE_BYTES);
  while (!scan.isDone) {
    await nextSlice();
    scan.advance(SLICE_BYTES);
  }
  return scan;
}

/** The body with an empty value in place of its content, if it has any. */
function withoutContent(body: Buffer, scan: JsonScan): Buffer {
  if (!scan.content) return body;
  const [from, to] = scan.content;
  const kind = /^\s*:\s*(["[{])/.exec(body.toString('latin1', from, from + 100))?.[1];
  if (kind === undefined) return body;
  if (!isUtf8(body)) throw invalidArgument('The request body is not valid UTF-8.');
  const empty = kind === '"' ? '""' : kind === '[' ? '[]' : '{}';
  return Buffer.concat([body.subarray(0, from), Buffer.from(`:${empty}`), body.subarray(to)]);
}

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

/** Checks data against a schema. Throws one INVALID_ARGUMENT with all problems, including those that `more` adds. */
export function parseData<T extends z.ZodType>(
  schema: T,
  data: unknown,
  more: (issues: Issue[]) => Issue[] = () => [],
): z.output<T> {
  const parsed = schema.safeParse(data, { error: phrase });
  const issues = parsed.success ? [] : issuesOf(parsed.error);
  const all = [...issues, ...more(issues)];
  if (all.length > 0 || !parsed.success) throw invalidRequest(all);
  return parsed.data;
}

/** All problems as sentences. For a union, those of its closest member. */
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

/** Messages that begin with `must` or `is` get the name of the field as their subject. */
const sentence = ({ message }: ZodIssue, path: (string | number)[]): string =>
  /^(must|is) /.test(message) ? `${pathName(path)} ${message}.` : message;
