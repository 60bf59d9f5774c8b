import type { Keyring } from '../../lib/crypto.ts';
import { asList, asObject, type Fields, isObject } from '../../lib/json.ts';
import { decoded } from '../../lib/text/decoded.ts';
import {
  isSecretHeader,
  REDACTED,
  redactUrl,
  restoreUrlSecrets,
  secretsOfUrl,
} from '../../lib/text/secret-shapes.ts';
import { fillTemplate, placeholders } from '../../lib/text/template.ts';
import {
  type PageAuth,
  type PageAuthSummary,
  pageAuth,
  type StoredPageAuth,
} from '../../shapes/agents/page-auth.ts';

/** Credentials of an agent for the pages it reviews, as they are stored: sealed as a whole, and as results show them. */
interface SealedPageAuth {
  sealed: string;
  shown: Fields;
}

export const isSealedAuth = (auth: unknown): auth is SealedPageAuth =>
  isObject(auth) && typeof auth.sealed === 'string' && isObject(auth.shown) && Object.keys(auth).length === 2;

/** The credentials if they have the form of `pageAuth`. Agents of earlier versions may have any value in their place. */
export const readPageAuth = (auth: unknown): PageAuth | undefined =>
  auth === undefined ? undefined : pageAuth.safeParse(auth).data;

type AgentOwner = { apiKeyId: string; agentId: string };

const agentBinding = ({ apiKeyId, agentId }: AgentOwner) => [
  'agent_versions',
  apiKeyId,
  agentId,
  'page-auth',
];

export const sealAgentAuth = (auth: PageAuth, keyring: Keyring, owner: AgentOwner): SealedPageAuth => ({
  sealed: keyring.seal(JSON.stringify(auth), agentBinding(owner)),
  shown: redactPageAuth(auth as Fields),
});

export const openAgentAuth = ({ sealed }: SealedPageAuth, keyring: Keyring, owner: AgentOwner): unknown =>
  JSON.parse(keyring.open(sealed, agentBinding(owner)));

/** Undefined if the current master key has sealed it. */
export function resealAgentAuth(
  { sealed, shown }: SealedPageAuth,
  keyring: Keyring,
  owner: AgentOwner,
): SealedPageAuth | undefined {
  if (keyring.isCurrent(sealed)) return undefined;
  const binding = agentBinding(owner);
  return { sealed: keyring.seal(keyring.open(sealed, binding), binding), shown };
}

type RunOwner = { apiKeyId: string; executionId: string };

const runBinding = ({ apiKeyId, executionId }: RunOwner) => [
  'executions',
  apiKeyId,
  executionId,
  'page-auth',
];

export const sealRunAuth = (auth: PageAuth, keyring: Keyring, owner: RunOwner): StoredPageAuth => ({
  sealed: keyring.seal(JSON.stringify(auth), runBinding(owner)),
  shown: summarizeAuth(auth),
});

export const openRunAuth = (
  { sealed }: StoredPageAuth,
  keyring: Keyring,
  owner: RunOwner,
): PageAuth | undefined =>
  sealed === undefined ? undefined : (JSON.parse(keyring.open(sealed, runBinding(owner))) as PageAuth);

export function resealRunAuth(
  { sealed, shown }: StoredPageAuth,
  keyring: Keyring,
  owner: RunOwner,
): StoredPageAuth | undefined {
  if (sealed === undefined || keyring.isCurrent(sealed)) return undefined;
  const binding = runBinding(owner);
  return { sealed: keyring.seal(keyring.open(sealed, binding), binding), shown };
}

/** Which kinds of credentials are set, by their names. Also takes credentials with redacted values. */
export function summarizeAuth(auth: Fields | PageAuth): PageAuthSummary {
  const { origins, headers, cookies, basic, storageState, steps, secrets, signedOut } = auth as Fields;
  const names = asList(cookies).map((one) => String(asObject(one).name));
  return {
    ...(Array.isArray(origins) && { origins: origins.map(String) }),
    ...(headers !== undefined && { headers: namesOf(headers) }),
    ...(cookies !== undefined && { cookies: [...new Set(names)] }),
    ...(basic !== undefined && { basic: true }),
    ...(storageState !== undefined && { storageState: true }),
    ...(steps !== undefined && { steps: asList(steps).length }),
    ...(secrets !== undefined && { secrets: namesOf(secrets) }),
    ...(signedOut !== undefined && { signedOut: true }),
  };
}

/** Sorted, since the database keeps no order of them. */
const namesOf = (values: unknown): string[] => Object.keys(asObject(values)).sort();

/** The credentials as results show them: a value is secret unless it only names secrets. */
function redactPageAuth(auth: Fields): Fields {
  const { headers, cookies, basic, storageState, steps, secrets } = auth;
  return {
    ...auth,
    ...(headers !== undefined && { headers: mapFields(asObject(headers), redactText) }),
    ...(cookies !== undefined && {
      cookies: asList(cookies).map((one) => ({ ...asObject(one), value: redactText(asObject(one).value) })),
    }),
    ...(basic !== undefined && {
      basic: { ...asObject(basic), password: redactText(asObject(basic).password) },
    }),
    ...(storageState !== undefined && { storageState: REDACTED }),
    ...(steps !== undefined && { steps: asList(steps).map((one) => redactStep(asObject(one))) }),
    ...(secrets !== undefined && { secrets: mapFields(asObject(secrets), () => REDACTED) }),
  };
}

const redactStep = ({ value, goto, ...step }: Fields): Fields => ({
  ...step,
  ...(goto !== undefined && { goto: redactUrl(String(goto)) }),
  ...(value !== undefined && { value: redactText(value) }),
});

/** A text of templates and the words of a scheme, such as `Bearer {{secrets.token}}`, holds no secret itself. */
const redactText = (value: unknown): unknown =>
  typeof value === 'string' && /^([A-Za-z]{1,20} )?(\{\{[^{}]*\}\})+$/.test(value) ? value : REDACTED;

/**
 * Fills in the stored credentials where the next ones have them redacted: by the name of a header or secret, by name,
 * domain and path of a cookie, and by place and field of a step.
 */
export function keepPageAuth(next: unknown, stored: unknown): unknown {
  if (!isObject(next) || !isObject(stored)) return next;
  const keep = (value: unknown, old: unknown) => (value === REDACTED && old !== undefined ? old : value);
  const keepNamed = (values: unknown, old: unknown) => {
    if (!isObject(values)) return values;
    const known = new Map(Object.entries(asObject(old)).map(([name, value]) => [name.toLowerCase(), value]));
    return mapFields(values, (value, name) => keep(value, known.get(name.toLowerCase())));
  };
  const cookieKey = ({ name, domain, path }: Fields) => JSON.stringify([name, domain, path]);
  const cookies = new Map(
    asList(stored.cookies).map((one) => [cookieKey(asObject(one)), asObject(one).value]),
  );
  const { headers, secrets, basic, storageState, steps } = next;
  return {
    ...next,
    ...(headers !== undefined && { headers: keepNamed(headers, stored.headers) }),
    ...(secrets !== undefined && { secrets: keepNamed(secrets, stored.secrets) }),
    ...(isObject(basic) && {
      basic: { ...basic, password: keep(basic.password, asObject(stored.basic).password) },
    }),
    ...(storageState !== undefined && { storageState: keep(storageState, stored.storageState) }),
    ...(Array.isArray(next.cookies) && {
      cookies: next.cookies.map((one) =>
        isObject(one) ? { ...one, value: keep(one.value, cookies.get(cookieKey(one))) } : one,
      ),
    }),
    ...(Array.isArray(steps) && {
      steps: steps.map((one, index) => keepStep(one, asObject(asList(stored.steps)[index]))),
    }),
  };
}

function keepStep(step: unknown, old: Fields): unknown {
  if (!isObject(step)) return step;
  const { goto, fill, value } = step;
  if (typeof goto === 'string' && typeof old.goto === 'string')
    return { ...step, goto: restoreUrlSecrets(goto, old.goto) };
  return value === REDACTED && fill === old.fill && old.value !== undefined
    ? { ...step, value: old.value }
    : step;
}

/** Values of storage that are shorter are settings such as a language, whose words occur in pages. */
const MIN_TOKEN = 16;

/** Shorter values of headers and cookies are settings such as `staging`. */
const isLong = (value: string): boolean => value.length >= 12;

const PASSWORD_FIELD = /pass|pwd|secret|token|otp|pin\b|code|kennwort/i;

/** All secrets of the credentials, in each form that may be sent, to redact in texts. */
export function secretsOfAuth(auth: PageAuth): string[] {
  const fill = fillSecrets(auth);
  const { headers = {}, cookies = [], basic, storageState, steps = [], secrets = {} } = auth;
  const password = basic && fill(basic.password);
  return [
    ...Object.values(secrets),
    ...Object.entries(headers)
      .map(([name, value]) => ({ name, value: fill(value).replace(/^(bearer|basic|token|apikey)\s+/i, '') }))
      .filter(({ name, value }) => isSecretHeader(name) || isLong(value))
      .flatMap(({ name, value }) => [value, ...(/^authorization$/i.test(name) ? partsOfBasic(value) : [])]),
    ...cookies.map(({ value }) => fill(value)).filter(isLong),
    ...(basic ? [password!, `${basic.username}:${password}`] : []),
    ...steps.flatMap(({ fill: field = '', value, goto }) => [
      // The name of a user may be an ordinary word; other secrets belong into `secrets`.
      ...(value !== undefined && PASSWORD_FIELD.test(field) ? [fill(value)] : []),
      ...secretsOfUrl(goto ?? ''),
    ]),
    ...(storageState ? tokensOfStorage(storageState) : []),
  ];
}

/** Name and password of basic authentication, if the value of a header holds them. */
function partsOfBasic(value: string): string[] {
  const pair = Buffer.from(value, 'base64').toString();
  const colon = pair.indexOf(':');
  const isPair = colon >= 0 && Buffer.from(pair).toString('base64') === value;
  return isPair ? [pair, pair.slice(colon + 1)] : [];
}

/** Values of a browser's storage that look like tokens. */
export function tokensOfStorage({
  cookies,
  origins,
}: {
  cookies: readonly { value: string }[];
  origins: readonly { localStorage: readonly { value: string }[]; indexedDB?: unknown }[];
}): string[] {
  const texts = [
    ...cookies.flatMap(({ value }) => [value, ...textsIn(decoded(value))]),
    ...origins.flatMap(({ localStorage }) => localStorage.flatMap(({ value }) => textsIn(value))),
    ...origins.flatMap(({ indexedDB }) => recordsOf(indexedDB).flatMap(textsWithin)),
  ];
  return [...new Set(texts.filter((text) => text.length >= MIN_TOKEN && !/\s/.test(text)))];
}

/** The contents of databases, as Playwright saves them. */
const recordsOf = (databases: unknown): unknown[] =>
  asList(databases)
    .flatMap((database) => asList(asObject(database).stores))
    .flatMap((store) => asList(asObject(store).records))
    .flatMap((record) => [asObject(record).value, asObject(record).valueEncoded]);

/** All texts within a value; `k` is where Playwright has the name of a property. */
function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return textsIn(value);
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  return Object.entries(asObject(value)).flatMap(([name, inner]) => (name === 'k' ? [] : textsWithin(inner)));
}

/** The text, or the texts within its JSON. */
function textsIn(text: string): string[] {
  if (!/^\s*[[{"]/.test(text)) return [text];
  const found: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') found.push(value);
      return value;
    });
    return found;
  } catch {
    return [text];
  }
}

/** A function that fills the secrets of the credentials into a text. */
export const fillSecrets =
  ({ secrets = {} }: PageAuth) =>
  (text: string): string =>
    placeholders(text).length === 0 ? text : fillTemplate(text, { secrets }).text;

const mapFields = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));
