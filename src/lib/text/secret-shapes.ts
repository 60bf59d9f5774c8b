import { type Fields, isObject } from '../json.ts';
import { decoded } from './decoded.ts';

/** Detects secrets in a configuration by their names, or by their position in a URL. */

export type Path = readonly (string | number)[];

/** Placeholder for a stored secret in results. Sending it back keeps the secret. */
export const REDACTED = '__redacted__';

/** In lower case, without hyphens and underscores. */
const SECRET_NAMES = new Set([
  'accesskey',
  'accesstoken',
  'apikey',
  'apisecret',
  'apitoken',
  'auth',
  'authorization',
  'authtoken',
  'bearertoken',
  'clientsecret',
  'idtoken',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'secretkey',
  'signingsecret',
  'token',
  'webhooksecret',
  'xapikey',
]);

/** All values in objects with these names are secret, except those that describe how the secret is used. */
const AUTH_NAMES = new Set(['auth', 'authentication', 'credentials']);
const HARMLESS_IN_AUTH = new Set(['enabled', 'in', 'method', 'name', 'scheme', 'type', 'user', 'username']);

const SECRET_HEADER =
  /^(set-)?cookie$|(^|-)(api-?key|access-?key|subscription-key|auth|authorization|password|secret|signature|token)$/i;
const SECRET_PARAMETER =
  /(^|[-_.])(api[-_]?key|access[-_]?key|subscription[-_]key|auth|credential|jwt|passw(or)?d|pwd|secret|sig|signature|token)$/i;

const plainName = (name: string): string =>
  (/[-_\s.]/.test(name) ? name.replace(/[-_\s.]/g, '') : name).toLowerCase();

export const isSecretName = (name: string): boolean => SECRET_NAMES.has(plainName(name));
export const isSecretHeader = (name: string): boolean => SECRET_HEADER.test(name) || isSecretName(name);
/** True for a query parameter that is secret by its name. A parameter called `key` is one if its value is long. */
export const isSecretParameter = (name: string, value: string): boolean =>
  SECRET_PARAMETER.test(name) || isSecretName(name) || (/^key$/i.test(name) && value.length >= 16);

/** True for a template, which is filled later, and for a lone wildcard, which matches any value. */
const isPlaceholder = (text: string): boolean =>
  /^((bearer|basic|token)\s+)?(\{\{[^{}]*\}\}|\*)?$/i.test(text.trim());

const TEMPLATE = /\{\{[^{}]*\}\}/g;
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@\s]+)@/i;

/** Longer texts are not considered URLs. */
const MAX_URL_LENGTH = 65_536;

const isUrl = (text: string): boolean => {
  if (text.length > MAX_URL_LENGTH) return false;
  const whole = text.trim().replace(TEMPLATE, 'template');
  return /^([a-z][a-z0-9+.-]*:\/\/|\/|template)\S*$/i.test(whole) && /[@=]/.test(whole);
};

/** Replaces each secret of a URL: the password and secret query parameters. */
export function mapUrlSecrets(url: string, change: (secret: string, place: string) => string): string {
  if (!isUrl(url)) return url;
  const changed = (secret: string, place: string) => (isPlaceholder(secret) ? secret : change(secret, place));
  const [, beforeMark = '', mark = '', parameters = ''] = /^([^?#]*)([?#]?)(.*)$/s.exec(url) ?? [];
  const base = beforeMark.replace(USER_INFO, (_, scheme: string, userInfo: string) => {
    const colon = userInfo.indexOf(':');
    // A user name without a password is a token, as code hosts accept it.
    if (colon < 0) return `${scheme}${changed(userInfo, '@')}@`;
    return `${scheme}${userInfo.slice(0, colon + 1)}${changed(userInfo.slice(colon + 1), '@')}@`;
  });
  const pairs = parameters.split(/([?&#])/).map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) return pair;
    const [name, value] = [decoded(pair.slice(0, equals)), pair.slice(equals + 1)];
    return isSecretParameter(name, value) ? pair.slice(0, equals + 1) + changed(value, name) : pair;
  });
  return base + mark + pairs.join('');
}

/** The secrets of a URL, both as written and decoded. */
export function secretsOfUrl(url: string): string[] {
  const secrets: string[] = [];
  mapUrlSecrets(url, (secret) => {
    secrets.push(secret, decoded(secret));
    return secret;
  });
  return [...new Set(secrets)];
}

/** A URL with its secrets redacted. */
export const redactUrl = (url: string): string => mapUrlSecrets(url, () => REDACTED);

/** Restores redacted secrets of a URL from another URL, by parameter name. */
export function restoreUrlSecrets(url: string, source: string): string {
  const secrets = new Map<string, string[]>();
  mapUrlSecrets(source, (secret, place) => {
    secrets.set(place, [...(secrets.get(place) ?? []), secret]);
    return secret;
  });
  return mapUrlSecrets(url, (secret, place) => {
    const stored = secrets.get(place)?.shift();
    return secret === REDACTED ? (stored ?? secret) : secret;
  });
}

/** A secret with its position; `shown` is the redacted form. */
export interface SecretPlace {
  path: Path;
  value: unknown;
  shown: string;
}

/**
 * Returns a copy of a configuration with every detected secret replaced. Known places are skipped with everything in
 * them.
 */
export function mapSecretShapes(
  value: unknown,
  change: (secret: SecretPlace) => unknown,
  isKnown: (path: Path) => boolean = () => false,
): unknown {
  const path: (string | number)[] = [];
  const changed = (value: unknown, shown: string) => change({ path: [...path], value, shown });
  const leaf = (value: unknown, isSecret: boolean): unknown => {
    if (typeof value === 'number') return isSecret ? changed(value, REDACTED) : value;
    if (typeof value !== 'string' || value === '') return value;
    if (isSecret) return isPlaceholder(value) ? value : changed(value, REDACTED);
    if (!/[@=]/.test(value)) return value;
    const shown = redactUrl(value);
    return shown !== value || holdsRedacted(value) ? changed(value, shown) : value;
  };
  const at = (key: string | number, value: unknown, isSecret: boolean, parent: string, inAuth: boolean) => {
    path.push(key);
    const mapped = isKnown(path) ? value : walk(value, isSecret, parent, inAuth);
    path.pop();
    return mapped;
  };

  const walk = (value: unknown, isSecret: boolean, parent: string, inAuth: boolean): unknown => {
    if (typeof value !== 'object' || value === null) return leaf(value, isSecret);
    if (isSealed(value)) return changed(value, value.shown);
    // Values without secrets are returned without a copy.
    if (Array.isArray(value)) {
      const mapped = value.map((one, index) => at(index, one, isSecret, '', inAuth));
      return mapped.some((one, index) => one !== value[index]) ? mapped : value;
    }
    let mapped: Fields | undefined;
    for (const [key, inner] of Object.entries(value)) {
      const plain = plainName(key);
      const isOne = inAuth
        ? !HARMLESS_IN_AUTH.has(plain)
        : isSecretField(parent, key, plain, inner) || (isSecret && key === 'value');
      const after = at(key, inner, isOne, plain, inAuth || AUTH_NAMES.has(plain));
      if (after === inner) continue;
      mapped ??= { ...value };
      mapped[key] = after;
    }
    return mapped ?? value;
  };
  return walk(value, false, '', false);
}

function isSecretField(parent: string, key: string, plain: string, value: unknown): boolean {
  if (SECRET_NAMES.has(plain)) return true;
  if (parent === 'headers') return isSecretHeader(key);
  if (parent === 'query' || parent === 'params' || parent === 'queryparams')
    return isSecretParameter(key, String(value));
  return key === 'body' && typeof value === 'string' && (value === REDACTED || pairsOf(value).length > 0);
}

/** Secrets in a form or JSON body, found by a regular expression without parsing. */
export const pairsOf = (body: string): string[] =>
  // Names are matched at word starts only; otherwise a long word would take quadratic time.
  [...body.matchAll(/(?<![\w.-])([\w.-]{1,60})"?\s*[:=]\s*(?:"((?:[^"\\]|\\.)*)"|([^&\s"{},]+))/g)].flatMap(
    ([, name = '', quoted, bare]) => {
      const value = quoted ?? bare ?? '';
      return isSecretParameter(name, value) && !isPlaceholder(value) ? [value] : [];
    },
  );

const holdsRedacted = (url: string): boolean => {
  let holds = false;
  mapUrlSecrets(url, (secret) => {
    if (secret === REDACTED) holds = true;
    return secret;
  });
  return holds;
};

/** A stored secret. A value of this form that a caller sends is sealed as a whole, and opened again unchanged. */
export interface SealedShape {
  sealed: string;
  shown: string;
}

export const isSealed = (value: unknown): value is SealedShape =>
  isObject(value) &&
  typeof value.sealed === 'string' &&
  typeof value.shown === 'string' &&
  Object.keys(value).length === 2;

/**
 * Restores stored secrets in a new configuration that has them redacted. `shown` and `opened` are the stored
 * configuration without and with its secrets. List entries are matched by id, or by position if one of them has no id.
 */
export function restoreRedacted(next: unknown, shown: unknown, opened: unknown): unknown {
  if (typeof next === 'string') {
    if (typeof shown !== 'string' || shown === opened) return next;
    if (next === shown) return opened;
    return typeof opened === 'string' ? restoreUrlSecrets(next, opened) : next;
  }
  if (Array.isArray(next)) {
    if (!Array.isArray(shown) || !Array.isArray(opened)) return next;
    const placeOf = matchLists(next, opened);
    return next.map((entry, index) => {
      const at = placeOf(entry, index);
      return at === undefined ? entry : restoreRedacted(entry, shown[at], opened[at]);
    });
  }
  if (!isObject(next) || !isObject(shown) || !isObject(opened)) return next;
  return Object.fromEntries(
    Object.entries(next).map(([key, value]) => [
      key,
      Object.hasOwn(opened, key) ? restoreRedacted(value, shown[key], opened[key]) : value,
    ]),
  );
}

/**
 * Matches entries of the next list with the previous list. An entry with a new id, or at a position that another entry
 * claims, is new.
 */
export function matchLists(
  next: readonly unknown[],
  before: readonly unknown[],
): (entry: unknown, index: number) => number | undefined {
  const nextIds = new Set(next.map(idOf));
  const places = new Map<string | undefined, number>();
  before.forEach((entry, index) => {
    if (!places.has(idOf(entry))) places.set(idOf(entry), index);
  });
  return (entry, index) => {
    const id = idOf(entry);
    const byId = id === undefined ? undefined : places.get(id);
    if (byId !== undefined) return byId;
    if (index >= before.length) return undefined;
    const placeId = idOf(before[index]);
    return placeId === undefined || (id === undefined && !nextIds.has(placeId)) ? index : undefined;
  };
}

export const idOf = (entry: unknown): string | undefined =>
  isObject(entry) && typeof entry.id === 'string' && entry.id !== '' ? entry.id : undefined;
