import { isDeepStrictEqual } from 'node:util';
import { type Issue, invalidRequest } from '../../lib/errors.ts';
import { asList, isObject } from '../../lib/json.ts';
import { matchLists, type Path } from '../../lib/text/secret-shapes.ts';
import { issueAt } from './issue-at.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i;
const NAMES_ADDRESS = /(url|uri|endpoint|host|origin)$/i;

/**
 * Throws INVALID_ARGUMENT if a change keeps a secret and moves the address beside it to another origin: an editor, who cannot
 * read the secret, could send it to a host of their own. `sent` is the behavior without the kept secrets, `kept` with them,
 * and `stored` the earlier one, in the clear.
 */
export function refuseMovedSecrets(sent: unknown, kept: unknown, stored: unknown): void {
  const issues = movedWithin(sent, kept, stored, []);
  if (issues.length > 0) throw invalidRequest(issues);
}

function movedWithin(sent: unknown, kept: unknown, stored: unknown, path: Path): Issue[] {
  if (isDeepStrictEqual(sent, kept)) return [];
  if (typeof kept === 'string' && typeof stored === 'string') {
    return isAddress(path.at(-1), stored) && originOf(kept) !== originOf(stored) ? [movedIssue(path)] : [];
  }
  if (Array.isArray(kept) && Array.isArray(stored)) {
    const placeOf = matchLists(kept, stored);
    return kept.flatMap((entry, index) => {
      const at = placeOf(entry, index);
      return at === undefined ? [] : movedWithin(asList(sent)[index], entry, stored[at], [...path, index]);
    });
  }
  if (!isObject(kept) || !isObject(stored)) return [];
  if (path.length === 1 && path[0] === 'auth' && hasMoreOrigins(kept.origins, stored.origins)) {
    return [movedIssue([...path, 'origins'])];
  }
  // The behavior as a whole has texts alone beside its parts.
  const moved =
    path.length === 0 ? [] : Object.keys(kept).filter((key) => isMoved(key, kept[key], stored[key]));
  if (moved.length > 0) return moved.map((key) => movedIssue([...path, key]));
  const before = isObject(sent) ? sent : {};
  return Object.keys(kept).flatMap((key) => movedWithin(before[key], kept[key], stored[key], [...path, key]));
}

const isAddress = (name: unknown, value: string): boolean =>
  ADDRESS.test(value) || (typeof name === 'string' && NAMES_ADDRESS.test(name));

const isMoved = (name: string, next: unknown, stored: unknown): boolean =>
  typeof next === 'string' &&
  next !== stored &&
  (isAddress(name, next) || (typeof stored === 'string' && isAddress(name, stored))) &&
  (typeof stored !== 'string' || originOf(next) !== originOf(stored));

/** The origin of an address; of one with placeholders, the part before its path. */
const originOf = (text: string): string => {
  const { origin } = URL.parse(text) ?? {};
  return origin !== undefined && origin !== 'null'
    ? origin
    : /^((?:[a-z][a-z0-9+.-]*|\{\{[^{}]*\}\}):\/\/)?[^/?#\\]*/i.exec(text)![0];
};

/** True if credentials for pages would be given to more origins. Without a list, they go to the site of any run. */
function hasMoreOrigins(next: unknown, stored: unknown): boolean {
  if (!Array.isArray(stored)) return false;
  return (
    !Array.isArray(next) ||
    next.some((one) => !stored.some((known) => originOf(String(known)) === originOf(String(one))))
  );
}

const movedIssue = (path: Path): Issue =>
  issueAt(
    path,
    'leads to another origin than the one for which the secrets beside it are stored: send these secrets again.',
  );
