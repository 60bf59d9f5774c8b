import { fillUrl, UnfitValue } from '../../../lib/text/fill-url.ts';
import { fillTemplate } from '../../../lib/text/template.ts';
import { authHeaders } from '../../../shapes/agents/auth-headers.ts';
import { createRedactor } from '../../core/redact.ts';
import type { RestApiEndpoint } from './rest-api-options.ts';

type Values = Record<string, unknown>;

export interface RestRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The address as it may be shown: without secrets. */
  shownUrl: string;
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names of query parameters that mostly hold what lets somebody in. */
const SECRET_NAME = /key$|token|secret|passw|pwd|^auth|signature|credential|session|^code$|^sig$/i;
const TOKENS = /\{\{[^{}]*\}\}/g;
/** What stands in JSON without quotes. */
const BARE = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const ONE_TOKEN = /^\{\{[^{}]*\}\}$/;
const MASK = '***';

/**
 * What an endpoint is asked, with its templates filled. Throws `UnfitValue` where a value is missing that cannot be left
 * out, or would be more than a value.
 */
export function restRequest(endpoint: RestApiEndpoint, values: Values): RestRequest {
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
      throw new UnfitValue(`The value of the header ${name} holds what no header can hold.`);
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

const filledHeaders = (headers: Record<string, string>, values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const filled = fillWhole(value, values, `The header ${name}`);
      return filled === undefined ? [] : [[name, textOf(filled)]];
    }),
  );

/**
 * What is nothing but one template is the value itself, and undefined where it has none: then it can be left out. A text
 * with a hole in it would say something else.
 */
function fillWhole(template: string, values: Values, what: string): unknown {
  const { text, missing } = fillTemplate(template, values);
  if (missing.length === 0) return ONE_TOKEN.test(template.trim()) ? typed(text, template, values) : text;
  if (ONE_TOKEN.test(template.trim())) return undefined;
  throw new UnfitValue(`${what} has no value for {{${missing[0]}}}.`);
}

/** A number or an object among the values stays one; its text is all that a template gives. */
function typed(text: string, template: string, values: Values): unknown {
  const name = template.trim().slice(2, -2).trim();
  const variables = values.variables as Values | undefined;
  const value = [values, variables].find((one) => one && Object.hasOwn(one, name))?.[name];
  return value === null || typeof value === 'string' || value === undefined ? text : value;
}

function bodyOf(
  body: RestApiEndpoint['body'],
  values: Values,
  type: string,
): { text: string; contentType: string } | undefined {
  if (body === undefined) return undefined;
  const json = 'application/json';
  if (typeof body !== 'string') return { text: JSON.stringify(fillAll(body, values)), contentType: json };
  // In a text that is JSON, a value must not end the string that it stands in.
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

/** JSON that is none before its values are in it: one outside of a string is a value of its own, and never two. */
function filledJson(body: string, values: Values): string {
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

function fillAll(node: unknown, values: Values): unknown {
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
