import type { Fields } from '../../../lib/json.ts';
import { fillUrl, UnfitValue } from '../../../lib/text/fill-url.ts';
import { fillTemplate } from '../../../lib/text/template.ts';
import { authHeaders } from '../../../shapes/agents/auth-headers.ts';
import { createRedactor } from '../../core/redact.ts';
import type { RestApiEndpoint } from './rest-api-options.ts';

export interface RestRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The URL without secrets. */
  shownUrl: string;
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names of query parameters that mostly hold credentials. */
const SECRET_NAME = /key$|token|secret|passw|pwd|^auth|signature|credential|session|^code$|^sig$/i;
const TOKENS = /\{\{[^{}]*\}\}/g;
/** JSON values without quotes: numbers, booleans and null. */
const BARE = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const ONE_TOKEN = /^\{\{[^{}]*\}\}$/;
const MASK = '***';

/**
 * The request to an endpoint, with its templates filled. Throws `UnfitValue` if a required value is missing, or if a
 * value would change the structure of the request.
 */
export function restRequest(endpoint: RestApiEndpoint, values: Fields): RestRequest {
  const url = new URL(fillUrl(endpoint.url, values));
  for (const [name, value] of Object.entries(endpoint.query ?? {})) {
    const filled =
      typeof value === 'string' ? fillWhole(value, values, `The query parameter ${name}`) : value;
    if (filled !== undefined) url.searchParams.append(name, textOf(filled));
  }
  const headers: Record<string, string> = {};
  const given = { ...filledHeaders(endpoint.headers ?? {}, values), ...authHeaders(endpoint.auth) };
  for (const [name, value] of Object.entries(given)) {
    if (!HEADER_NAME.test(name)) throw new UnfitValue('A header has a name that is none.');
    if (!HEADER_VALUE.test(value)) {
      throw new UnfitValue(`The value of the header ${name} contains characters that no header can contain.`);
    }
    headers[name.toLowerCase()] = value;
  }
  const body =
    endpoint.method === 'GET' ? undefined : bodyOf(endpoint.body, values, headers['content-type'] ?? '');
  if (body) headers['content-type'] ??= body.contentType;
  return {
    method: endpoint.method,
    url: url.href,
    headers,
    ...(body && { body: body.text }),
    shownUrl: shownUrl(url, Object.values(authHeaders(endpoint.auth))),
  };
}

const filledHeaders = (headers: Record<string, string>, values: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const filled = fillWhole(value, values, `The header ${name}`);
      return filled === undefined ? [] : [[name, textOf(filled)]];
    }),
  );

/**
 * Fills a template. A text that is a single template keeps the type of its value, and is undefined without a value, so
 * that callers can leave it out. Any other text with a missing value throws, since it would change its meaning.
 */
function fillWhole(template: string, values: Fields, what: string): unknown {
  const { text, missing } = fillTemplate(template, values);
  if (missing.length === 0) return ONE_TOKEN.test(template.trim()) ? typed(text, template, values) : text;
  if (ONE_TOKEN.test(template.trim())) return undefined;
  throw new UnfitValue(`${what} has no value for {{${missing[0]}}}.`);
}

/** The value of a single template with its type, where it is no text. */
function typed(text: string, template: string, values: Fields): unknown {
  const name = template.trim().slice(2, -2).trim();
  const variables = values.variables as Fields | undefined;
  const value = [values, variables].find((one) => one && Object.hasOwn(one, name))?.[name];
  return value === null || typeof value === 'string' || value === undefined ? text : value;
}

function bodyOf(
  body: RestApiEndpoint['body'],
  values: Fields,
  type: string,
): { text: string; contentType: string } | undefined {
  if (body === undefined) return undefined;
  const json = 'application/json';
  if (typeof body !== 'string') return { text: JSON.stringify(fillAll(body, values)), contentType: json };
  // JSON is filled value by value, so that a value cannot end the string around it (injection).
  const parsed = parse(body);
  if (parsed !== undefined) return { text: JSON.stringify(fillAll(parsed, values)), contentType: json };
  if (/^\s*[[{]/.test(body)) return { text: filledJson(body, values), contentType: json };
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const text = body.replace(TOKENS, (token) =>
      encodeURIComponent(fillTemplate(token, values).text.toWellFormed()),
    );
    return { text, contentType: type };
  }
  return { text: fillTemplate(body, values).text, contentType: 'text/plain; charset=utf-8' };
}

/** Fills text that becomes JSON only by its values. Outside of strings, each template yields exactly one JSON value. */
function filledJson(body: string, values: Fields): string {
  let isString = false;
  return body
    .split(/(\{\{[^{}]*\}\}|\\.|")/s)
    .map((piece) => {
      if (piece === '"') isString = !isString;
      if (!ONE_TOKEN.test(piece)) return piece;
      const value = fillWhole(piece, values, 'The body');
      if (isString) return value === undefined ? 'null' : JSON.stringify(textOf(value)).slice(1, -1);
      return typeof value === 'string' && BARE.test(value) ? value : (JSON.stringify(value) ?? 'null');
    })
    .join('');
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function fillAll(node: unknown, values: Fields): unknown {
  if (typeof node === 'string') return fillWhole(node, values, 'The body');
  if (Array.isArray(node)) return node.map((one) => fillAll(one, values));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, fillAll(value, values)]));
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function shownUrl(url: URL, secrets: readonly string[]): string {
  const shown = new URL(url);
  if (shown.username !== '') shown.username = MASK;
  if (shown.password !== '') shown.password = MASK;
  for (const name of new Set(shown.searchParams.keys())) {
    if (SECRET_NAME.test(name)) shown.searchParams.set(name, MASK);
  }
  return createRedactor(secrets)(shown.href);
}
