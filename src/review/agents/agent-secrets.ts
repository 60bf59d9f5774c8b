import type { Keyring } from '../../lib/crypto.ts';
import type { Issue } from '../../lib/errors.ts';
import { asObject, type Fields, isObject } from '../../lib/json.ts';
import {
  idOf,
  isSealed as isSealedShape,
  mapSecretShapes,
  matchLists,
  type Path,
  pairsOf,
  REDACTED,
  restoreRedacted,
  type SecretPlace,
  secretsOfUrl,
} from '../../lib/text/secret-shapes.ts';
import { issueAt } from './issue-at.ts';
import {
  isSealedAuth,
  keepPageAuth,
  openAgentAuth,
  readPageAuth,
  resealAgentAuth,
  sealAgentAuth,
  secretsOfAuth,
} from './page-auth-secrets.ts';

export { REDACTED };

/** Agent that a secret is bound to: sealed secrets open for their own agent only, in each of its versions. */
export interface Owner {
  apiKeyId: string;
  agentId: string;
}

/** Lists whose entries may have an `auth` block. Elsewhere secrets are recognized by their shape. */
const LISTS = [
  ['execution', 'mcpServers'],
  ['contextGathering', 'strategyOptions', 'rest-api', 'endpoints'],
] as const;

/** Fields that are never secret: words and patterns for people and models, under names that callers choose. */
const IN_THE_CLEAR = [
  ['input'],
  ['execution', 'responseDescriptions'],
  ['scope', 'pageScope'],
  ['scope', 'pageScopeExclude'],
];

/** True if the path is exempt from recognition by shape: an `auth` block of a list, or a field that is never secret. */
const isExempt = (path: Path): boolean =>
  path.at(-1) === 'auth'
    ? LISTS.some((list) => path.length === list.length + 2 && startsWith(path, list))
    : path.length <= 2 &&
      IN_THE_CLEAR.some((clear) => path.length === clear.length && startsWith(path, clear));

const startsWith = (path: Path, beginning: readonly string[]): boolean =>
  beginning.every((key, index) => path[index] === key);

const mapShapes = (behavior: Fields, change: (secret: SecretPlace) => unknown): Fields =>
  mapSecretShapes(behavior, change, isExempt) as Fields;

const shapeBinding = ({ apiKeyId, agentId }: Owner, path: Path): string[] => [
  'agent_versions',
  apiKeyId,
  agentId,
  'shape',
  ...path.map(String),
];

/** Seals every secret before the behavior is stored. The secrets must be in the clear. */
export function sealSecrets({ auth, ...others }: Fields, keyring: Keyring, owner: Owner): Fields {
  const pageAuth = readPageAuth(auth);
  if (pageAuth)
    return { ...sealSecrets(others, keyring, owner), auth: sealAgentAuth(pageAuth, keyring, owner) };
  const behavior = auth === undefined ? others : { ...others, auth };
  const sealed = mapSecrets(behavior, owner, (secret, binding) =>
    typeof secret === 'string' ? { sealed: keyring.seal(secret, binding) } : secret,
  );
  return mapShapes(sealed, ({ path, value, shown }) => ({
    sealed: keyring.seal(JSON.stringify(value), shapeBinding(owner, path)),
    shown: isSealedShape(value) ? REDACTED : shown,
  }));
}

/** Opens the secrets of a behavior for the requests of a run. Throws if one cannot be opened. */
export function openSecrets(behavior: Fields, keyring: Keyring, owner: Owner): Fields {
  const { auth, ...others } = behavior;
  if (isSealedAuth(auth))
    return { ...openSecrets(others, keyring, owner), auth: openAgentAuth(auth, keyring, owner) };
  const opened = mapSecrets(behavior, owner, (secret, binding) =>
    isSealed(secret) ? keyring.open(secret.sealed, binding) : secret,
  );
  return mapShapes(opened, ({ path, value }) =>
    isSealedShape(value) ? JSON.parse(keyring.open(value.sealed, shapeBinding(owner, path))) : value,
  );
}

/** Reseals the secrets that an earlier master key sealed; undefined if there are none. */
export function resealSecrets(behavior: Fields, keyring: Keyring, owner: Owner): Fields | undefined {
  const { auth, ...others } = behavior;
  if (isSealedAuth(auth)) {
    const resealedAuth = resealAgentAuth(auth, keyring, owner);
    const resealedOthers = resealSecrets(others, keyring, owner);
    return resealedAuth || resealedOthers
      ? { ...(resealedOthers ?? others), auth: resealedAuth ?? auth }
      : undefined;
  }
  let changed = false;
  const resealed = mapSecrets(behavior, owner, (secret, binding) => {
    if (!isSealed(secret) || keyring.isCurrent(secret.sealed)) return secret;
    changed = true;
    return { sealed: keyring.seal(keyring.open(secret.sealed, binding), binding) };
  });
  const all = mapShapes(resealed, ({ path, value }) => {
    if (!isSealedShape(value) || keyring.isCurrent(value.sealed)) return value;
    changed = true;
    const binding = shapeBinding(owner, path);
    return { ...value, sealed: keyring.seal(keyring.open(value.sealed, binding), binding) };
  });
  return changed ? all : undefined;
}

/** The same functions for the metadata of an agent, which belong to no version. */
export const sealMetadata = (metadata: Fields, keyring: Keyring, owner: Owner): Fields =>
  sealSecrets({ metadata }, keyring, owner).metadata as Fields;
export const openMetadata = (metadata: Fields, keyring: Keyring, owner: Owner): Fields =>
  openSecrets({ metadata }, keyring, owner).metadata as Fields;
export const redactMetadata = (metadata: Fields): Fields => redactSecrets({ metadata }).metadata as Fields;
export const resealMetadata = (metadata: Fields, keyring: Keyring, owner: Owner): Fields | undefined =>
  resealSecrets({ metadata }, keyring, owner)?.metadata as Fields | undefined;

/** All secrets of an opened behavior, in each form that may be sent, such as `username:password` of basic auth. */
export function secretValues(behavior: object): string[] {
  const { auth, ...others } = behavior as Fields;
  const pageAuth = readPageAuth(auth);
  if (pageAuth) return [...secretValues(others), ...secretsOfAuth(pageAuth)];
  const values: string[] = [];
  mapSecrets(behavior as Fields, { apiKeyId: '', agentId: '' }, (secret) => {
    if (typeof secret === 'string') values.push(secret);
    return secret;
  });
  for (const path of LISTS) {
    const list = valueAt(behavior, path);
    for (const entry of Array.isArray(list) ? list : []) {
      const auth = isObject(entry) && isObject(entry.auth) ? entry.auth : {};
      if (typeof auth.password === 'string') values.push(`${String(auth.username ?? '')}:${auth.password}`);
    }
  }
  mapShapes(behavior as Fields, ({ value }) => {
    values.push(...partsOf(value));
    return value;
  });
  return values;
}

/** Parts of a secret to redact in texts. A sentence is not split into words, which would redact ordinary words. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'string') return [String(value)];
  const parts = secretsOfUrl(value);
  if (parts.length > 0) return parts;
  const secret = value.trim().replace(/^(bearer|basic|token|apikey)\s+/i, '');
  return /\s/.test(secret) ? pairsOf(value) : [secret, ...pairsOf(value)];
}

/** The behavior as the API returns it. Of `auth` blocks only fields that are known to be harmless are shown. */
export function redactSecrets(behavior: Fields): Fields {
  const { auth, ...others } = behavior;
  if (isSealedAuth(auth)) return { ...redactSecrets(others), auth: auth.shown };
  return LISTS.reduce(
    (shown, path) =>
      mapAt(shown, path, (list) => (Array.isArray(list) ? list.map(redactEntry) : REDACTED)) as Fields,
    mapShapes(behavior, ({ shown }) => shown),
  );
}

function redactEntry(entry: unknown): unknown {
  if (!isObject(entry)) return REDACTED;
  return entry.auth === undefined ? entry : { ...entry, auth: redactAuth(entry.auth) };
}

function redactAuth(auth: unknown): unknown {
  if (!isObject(auth)) return REDACTED;
  return mapFields(auth, (value, key) => {
    if (key === 'type' && typeof value === 'string' && AUTH_TYPES.has(value)) return value;
    if (key === 'username' && auth.type === 'basic' && typeof value === 'string') return value;
    if (key === 'headers' && auth.type === 'header' && isObject(value))
      return mapFields(value, () => REDACTED);
    return REDACTED;
  });
}

const AUTH_TYPES = new Set(['none', 'bearer', 'basic', 'header']);

/**
 * Fills in the stored secrets, in the clear, where the next behavior omits or redacts them. Entries are matched by id, or
 * by position if either has none. Nothing is kept if the type of authentication changes; secrets that stay redacted are
 * reported by `redactedIssues`.
 */
export function keepSecrets(next: Fields, stored: Fields): Fields {
  const { auth, ...storedOthers } = stored;
  if (readPageAuth(auth)) {
    const { auth: nextAuth, ...nextOthers } = next;
    return {
      ...keepSecrets(nextOthers, storedOthers),
      ...(nextAuth !== undefined && { auth: keepPageAuth(nextAuth, auth) }),
    };
  }
  const kept = LISTS.reduce((kept, path) => {
    const before = valueAt(stored, path);
    if (!Array.isArray(before)) return kept;
    return mapAt(kept, path, (list) => (Array.isArray(list) ? keepInList(list, before) : list)) as Fields;
  }, next);
  return restoreRedacted(
    kept,
    mapShapes(stored, ({ shown }) => shown),
    stored,
  ) as Fields;
}

function keepInList(list: unknown[], before: unknown[]): unknown[] {
  const placeOf = matchLists(list, before);
  return list.map((entry, index) => {
    if (!isObject(entry)) return entry;
    const at = placeOf(entry, index);
    const match = at === undefined ? undefined : before[at];
    if (!isObject(match) || !isObject(match.auth)) return entry;
    return { ...entry, auth: entry.auth === undefined ? match.auth : keepInAuth(entry.auth, match.auth) };
  });
}

function keepInAuth(auth: unknown, before: Fields): unknown {
  if (!isObject(auth) || auth.type !== before.type) return auth;
  const keep = (secret: unknown, old: unknown) =>
    (secret === undefined || secret === REDACTED) && old !== undefined ? old : secret;
  if (auth.type === 'bearer') return { ...auth, token: keep(auth.token, before.token) };
  if (auth.type === 'basic') return { ...auth, password: keep(auth.password, before.password) };
  if (auth.type !== 'header' || !isObject(before.headers)) return auth;
  if (auth.headers === undefined) return { ...auth, headers: before.headers };
  if (!isObject(auth.headers)) return auth;
  const old = new Map(Object.entries(before.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...auth,
    headers: mapFields(auth.headers, (value, name) => keep(value, old.get(name.toLowerCase()))),
  };
}

/** One issue for each redacted value without a stored secret, since its sender expects a secret to be kept. */
export function redactedIssues(all: unknown): Issue[] {
  if (!mentionsRedacted(all)) return [];
  // The schema of `auth` reports its own.
  const { auth: _, ...agent } = asObject(all);
  const issues: Issue[] = [];
  mapSecretShapes(
    agent,
    ({ path, value }) => {
      if (value === REDACTED || (typeof value === 'string' && value.includes(REDACTED))) {
        issues.push(redactedIssue(path));
      }
      return value;
    },
    isExempt,
  );
  const inAuth = LISTS.flatMap((path) => {
    const list = valueAt(agent, path);
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry, index) => {
      const auth = isObject(entry) && isObject(entry.auth) ? entry.auth : {};
      const headers = isObject(auth.headers) ? auth.headers : {};
      const places: string[][] = [
        ...Object.keys(auth)
          .filter((key) => auth[key] === REDACTED)
          .map((key) => [key]),
        ...Object.keys(headers)
          .filter((key) => headers[key] === REDACTED)
          .map((key) => ['headers', key]),
      ];
      return places.map((place) => redactedIssue([...path, index, 'auth', ...place]));
    });
  });
  return [...inAuth, ...issues];
}

/** A cheap check, so that most agents are not searched for secrets. */
function mentionsRedacted(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  return typeof value === 'object' && value !== null && Object.values(value).some(mentionsRedacted);
}

const redactedIssue = (path: Path): Issue => issueAt(path, `is ${REDACTED}, but no secret is stored for it.`);

/** Returns a copy of the behavior with each secret changed. */
function mapSecrets(
  behavior: Fields,
  { apiKeyId, agentId }: Owner,
  change: (secret: unknown, binding: string[]) => unknown,
): Fields {
  return LISTS.reduce((changed, path) => {
    const entryChange = (entry: unknown, index: number) => {
      if (!isObject(entry) || !isObject(entry.auth)) return entry;
      const id = idOf(entry);
      const place = id === undefined ? ['index', String(index)] : ['id', id];
      const binding = ['agent_versions', apiKeyId, agentId, path.at(-1)!, ...place];
      const { auth } = entry;
      return {
        ...entry,
        auth: mapFields(auth, (value, key) => {
          if (key === 'token' || key === 'password') return change(value, [...binding, key]);
          if (key !== 'headers' || !isObject(value)) return value;
          return mapFields(value, (header, name) => change(header, [...binding, 'header', name]));
        }),
      };
    };
    return mapAt(changed, path, (list) => (Array.isArray(list) ? list.map(entryChange) : list)) as Fields;
  }, behavior);
}

/** Returns a copy with the value at the path changed; unchanged if there is no value at the path. */
function mapAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (!isObject(value) || value[key] === undefined) return value;
  return { ...value, [key]: mapAt(value[key], rest, change) };
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

const mapFields = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));

const isSealed = (value: unknown): value is { sealed: string } =>
  isObject(value) && typeof value.sealed === 'string';
