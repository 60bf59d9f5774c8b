import { z } from 'zod';
import { asList, asObject } from '../../lib/json.ts';
import { REDACTED } from '../../lib/text/secret-shapes.ts';
import { fillTemplate, placeholders } from '../../lib/text/template.ts';
import { withOtherProblems } from '../all-problems.ts';
import { named } from '../named.ts';

const MAX_CHARS = 500_000;
/** Limits of browsers for a cookie: bytes of its name and value, and the last second of the year 9999. */
const MAX_COOKIE_BYTES = 4_096;
const MAX_EXPIRES = 253_402_300_799;

// Line breaks in names or values would allow header injection; browsers refuse other control characters too.
const CONTROL = /[^\t\P{Cc}]/u;
const WITHOUT_CONTROL = 'must not contain line breaks or other control characters';
const headerName = z
  .string()
  .max(200)
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be a header name');
const headerValue = z
  .string()
  .max(8_000)
  .refine((text) => !CONTROL.test(text), { error: WITHOUT_CONTROL });
const secretName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must be letters, digits, _ and -, and begin with a letter or _');

/** Headers that belong to a connection or to its cookies, or that other fields set. */
const NOT_HEADERS =
  /^(connection|content-length|content-type|cookie2?|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade)$/i;

const origin = z
  .string()
  .max(300)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an origin such as https://staging.example.com',
  })
  .refine((text) => !URL.canParse(text) || text.replace(/\/$/, '').toLowerCase() === new URL(text).origin, {
    error: 'must be an origin without a path, such as https://staging.example.com',
  });

const cookieFields = {
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\s=;,\p{Cc}]+$/u, 'must be the name of a cookie'),
  value: z
    .string()
    .max(8_000)
    .regex(/^[^;\p{Cc}]*$/u, 'must not contain semicolons, line breaks or other control characters')
    .describe('Secret.'),
  domain: z.string().min(1).max(300).optional(),
  path: z
    .string()
    .max(1_000)
    .regex(/^\/[^;\p{Cc}]*$/u, 'must begin with / and must not contain semicolons or control characters')
    .optional(),
  expires: z
    .number()
    .refine((seconds) => seconds === -1 || (seconds >= 0 && seconds <= MAX_EXPIRES), {
      error: 'must be -1 or seconds since 1970, not milliseconds',
    })
    .optional()
    .describe('Epoch seconds; -1 for the end of the session.'),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
};

const cookie = named('SignInCookie', z.strictObject(cookieFields));
export type SignInCookieInput = z.infer<typeof cookie>;

const savedName = z.string().max(1_000);
const keyPath = { keyPath: savedName.optional(), keyPathArray: z.array(savedName).max(50).optional() };

/** A database of IndexedDB, as Playwright saves and restores it. */
const database = z.strictObject({
  name: savedName,
  version: z.int().min(1),
  stores: z
    .array(
      z.strictObject({
        name: savedName,
        autoIncrement: z.boolean(),
        ...keyPath,
        records: z
          .array(
            z.strictObject({
              key: z.unknown().optional(),
              keyEncoded: z.unknown().optional(),
              value: z.unknown().optional(),
              valueEncoded: z.unknown().optional(),
            }),
          )
          .max(5_000),
        indexes: z
          .array(
            z.strictObject({ name: savedName, ...keyPath, multiEntry: z.boolean(), unique: z.boolean() }),
          )
          .max(100),
      }),
    )
    .max(100),
});

const savedCookie = z.strictObject({
  ...cookieFields,
  partitionKey: savedName.optional(),
  _crHasCrossSiteAncestor: z.boolean().optional(),
});

const storageState = named(
  'SignInStorageState',
  z.strictObject({
    cookies: z.array(savedCookie).max(300).default([]),
    origins: z
      .array(
        z.strictObject({
          origin,
          localStorage: z.array(z.strictObject({ name: savedName, value: z.string().max(200_000) })).max(500),
          indexedDB: z.array(database).max(50).optional(),
        }),
      )
      .max(20)
      .default([]),
  }),
);

const selector = z.string().min(1).max(1_000);

const STEPS = ['goto', 'fill', 'click', 'waitFor'] as const;

/** One object instead of a union, whose problems would name every kind of step. */
const step = named(
  'SignInStep',
  z
    .strictObject({
      goto: z.string().min(1).max(2_000).optional().describe('Address, or a path on the site of the run.'),
      fill: selector.optional().describe('Selector of a field, which gets `value`.'),
      value: z
        .string()
        .max(8_000)
        .optional()
        .describe('Secret, or a template such as `{{secrets.password}}`.'),
      click: selector.optional().describe('Selector of the element to click.'),
      waitFor: selector
        .optional()
        .describe(
          'Selector that must become visible, or, if it begins with `/`, `*` or a scheme, a URL glob.',
        ),
    })
    .superRefine((one, context) => {
      const kinds = STEPS.filter((kind) => one[kind] !== undefined);
      if (kinds.length !== 1)
        context.addIssue({ code: 'custom', message: `must have exactly one of ${STEPS.join(', ')}` });
      if (one.fill !== undefined && one.value === undefined)
        context.addIssue({ code: 'custom', path: ['value'], message: 'is required with fill' });
      if (one.fill === undefined && one.value !== undefined)
        context.addIssue({ code: 'custom', path: ['value'], message: 'must only be given with fill' });
    }, withOtherProblems),
);
export type SignInStep = z.infer<typeof step>;

const signedOut = named(
  'SignedOutRule',
  z
    .strictObject({
      url: z.string().min(1).max(500).optional().describe('Glob of the address after redirects.'),
      selector: selector.optional().describe('Selector of an element that is visible.'),
      status: z.int().min(400).max(599).optional().describe('HTTP status of the page.'),
    })
    .refine((rule) => Object.values(rule).some((value) => value !== undefined), {
      error: 'must have url, selector or status',
    }),
);

const fields = z.strictObject({
  origins: z
    .array(origin)
    .min(1)
    .max(20)
    .optional()
    .describe('Origins that get the credentials. Defaults to the origin of the URL of the run.'),
  headers: z
    .record(headerName, headerValue)
    .optional()
    .describe('Secret values by header name; may contain `{{secrets.NAME}}`.'),
  cookies: z.array(cookie).max(100).optional().describe('Values may contain `{{secrets.NAME}}`.'),
  basic: z
    .strictObject({
      username: z
        .string()
        .max(1_000)
        .regex(/^[^:\r\n\0]*$/, 'must not contain colons or line breaks'),
      password: z.string().max(1_000).describe('Secret; may contain `{{secrets.NAME}}`.'),
    })
    .optional()
    .describe('HTTP basic authentication.'),
  storageState: storageState
    .optional()
    .describe('Cookies, local storage and databases, as Playwright saves them. Secret.'),
  steps: z
    .array(step)
    .min(1)
    .max(30)
    .optional()
    .describe('Steps that sign in, taken in a browser once per run, before its pages are loaded.'),
  secrets: z
    .record(secretName, z.string().min(1).max(8_000))
    .optional()
    .describe('Secrets that templates name.'),
  signedOut: signedOut
    .optional()
    .describe(
      'Signs of a page that asks to sign in, in place of the rules of the service. One of them suffices.',
    ),
});

/**
 * Credentials for the pages that a run reviews. Unknown fields are refused, because they could contain a secret that is
 * not encrypted.
 */
export const pageAuth = named(
  'PageAuth',
  fields.superRefine((auth, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    for (const [path, message] of problemsOf(auth)) issue(path, message);
  }, withOtherProblems),
);
export type PageAuth = z.infer<typeof pageAuth>;

type Problem = [path: (string | number)[], message: string];

/** Problems between fields. The value may be invalid in other ways, since all problems are reported at once. */
function problemsOf(auth: unknown): Problem[] {
  const problems: Problem[] = [];
  const { origins, headers, basic, secrets, steps, cookies, storageState: state } = asObject(auth);
  const names = Object.keys(asObject(headers));
  for (const name of names.filter((name) => NOT_HEADERS.test(name)))
    problems.push([['headers', name], 'is set by the browser and cannot be given']);
  if (names.length > 20) problems.push([['headers'], 'must have at most 20 headers']);
  if (basic !== undefined && names.some((name) => /^authorization$/i.test(name)))
    problems.push([['basic'], 'must not be given together with the header authorization']);
  if (Object.keys(asObject(secrets)).length > 50)
    problems.push([['secrets'], 'must have at most 50 secrets']);
  const kinds = [headers, basic, steps, cookies, state];
  if (kinds.every((one) => one === undefined))
    problems.push([[], 'must have headers, cookies, basic, storageState or steps']);
  for (const { path, text } of templatesIn(auth)) {
    for (const placeholder of placeholders(text)) {
      const name = /^secrets\.(.+)$/.exec(placeholder)?.[1];
      if (name === undefined) problems.push([path, `must name secrets only, not {{${placeholder}}}`]);
      else if (!Object.hasOwn(asObject(secrets), name))
        problems.push([path, `must not name {{${placeholder}}}, since secrets has no ${name}`]);
    }
  }
  problems.push(...problemsOfSent(auth));
  for (const [index, one] of asList(steps).entries()) {
    const { goto } = asObject(one);
    const url = typeof goto === 'string' ? URL.parse(goto) : null;
    if (typeof goto === 'string' && placeholders(goto).length > 0)
      problems.push([['steps', index, 'goto'], 'must not contain templates']);
    else if (typeof goto === 'string' && !url && !goto.startsWith('/'))
      problems.push([
        ['steps', index, 'goto'],
        'must be an http or https address, or a path that begins with /',
      ]);
    else if (url && !/^https?:$/.test(url.protocol))
      problems.push([
        ['steps', index, 'goto'],
        'must be an http or https address, or a path that begins with /',
      ]);
    else if (url && Array.isArray(origins) && !admitsUrl(origins, url))
      problems.push([['steps', index, 'goto'], 'is not on one of the origins']);
  }
  for (const path of redactedIn(auth))
    problems.push([path, `is ${REDACTED}, but no secret is stored for it`]);
  if (JSON.stringify(auth).length > MAX_CHARS)
    problems.push([[], `must have at most ${MAX_CHARS} characters as JSON`]);
  return problems;
}

/** Values that no browser would send once the secrets are filled in; one of them would fail every page. */
function problemsOfSent(auth: unknown): Problem[] {
  const { headers, secrets, cookies, storageState } = asObject(auth);
  const fill = (value: unknown): string => fillTemplate(String(value), { secrets }).text;
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(asObject(headers)))
    if (!CONTROL.test(String(value)) && CONTROL.test(fill(value)))
      problems.push([['headers', name], `${WITHOUT_CONTROL}, as a secret in it does`]);
  const listed = (list: unknown, path: string[], sent: (value: unknown) => string) => {
    for (const [index, one] of asList(list).entries()) {
      const { name, value } = asObject(one);
      const problem = problemOfCookie(String(name), String(value), sent(value));
      if (problem) problems.push([[...path, index, 'value'], problem]);
    }
  };
  listed(cookies, ['cookies'], fill);
  listed(asObject(storageState).cookies, ['storageState', 'cookies'], String);
  return problems;
}

function problemOfCookie(name: string, given: string, sent: string): string | undefined {
  if (sent !== given && /[;\p{Cc}]/u.test(sent))
    return `must not contain semicolons, line breaks or other control characters, as a secret in it does`;
  if (/^ | $/.test(sent)) return 'must not begin or end with a space';
  if (new TextEncoder().encode(name + sent).length > MAX_COOKIE_BYTES)
    return `must have at most ${MAX_COOKIE_BYTES} bytes together with its name, as browsers demand`;
  return undefined;
}

const admitsUrl = (origins: unknown[], { origin }: URL): boolean =>
  origins.some((one) => typeof one === 'string' && URL.parse(one)?.origin === origin);

/** Texts that may name secrets. */
function templatesIn(auth: unknown): { path: (string | number)[]; text: string }[] {
  const { headers, basic, steps, cookies } = asObject(auth);
  return [
    ...Object.entries(asObject(headers)).map(([name, value]) => ({ path: ['headers', name], text: value })),
    ...asList(cookies).map((one, index) => ({
      path: ['cookies', index, 'value'],
      text: asObject(one).value,
    })),
    { path: ['basic', 'password'], text: asObject(basic).password },
    ...asList(steps).map((one, index) => ({ path: ['steps', index, 'value'], text: asObject(one).value })),
  ].flatMap(({ path, text }) => (typeof text === 'string' ? [{ path, text }] : []));
}

/** Places of values that a result had redacted and that no stored secret has replaced. */
function redactedIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return value.includes(REDACTED) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => redactedIn(one, [...path, index]));
  return Object.entries(asObject(value)).flatMap(([key, inner]) => redactedIn(inner, [...path, key]));
}

/** The credentials of a run as results show them: the kinds that are set, and their names, never a value. */
export const pageAuthSummary = named(
  'PageAuthSummary',
  z.object({
    origins: z.array(z.string()).optional().describe('Absent for the origin of the URL alone.'),
    headers: z.array(z.string()).optional().describe('Names of headers.'),
    cookies: z.array(z.string()).optional().describe('Names of cookies.'),
    basic: z.boolean().optional(),
    storageState: z.boolean().optional(),
    steps: z.int().optional().describe('Number of steps that sign in.'),
    secrets: z.array(z.string()).optional().describe('Names of secrets.'),
    signedOut: z.boolean().optional(),
  }),
);
export type PageAuthSummary = z.infer<typeof pageAuthSummary>;

/** The credentials of a run as they are stored: sealed until the run ends, and as results show them. */
export interface StoredPageAuth {
  /** Absent once the run has ended, and if the credentials are those of the agent. */
  sealed?: string;
  shown: PageAuthSummary;
}
