import { nearestTo } from '../../lib/text/edit-distance.ts';

/** Longer paths are no typos and would take long to compare. */
const MAX_COMPARED = 120;

/** Groups of synonymous last parts of paths, of which each family of operations uses one. */
const SYNONYMS = [
  ['get', 'list', 'read', 'fetch', 'show', 'find', 'search', 'query'],
  ['add', 'create', 'new', 'insert', 'register', 'post'],
  ['update', 'set', 'edit', 'change', 'patch', 'put', 'save'],
  ['delete', 'remove', 'destroy', 'revoke'],
  ['run', 'start', 'execute', 'dispatch'],
];

/** The operation that the caller of an unknown path most likely means. */
export function likelyPath(unknown: string, paths: readonly string[]): string | undefined {
  if (unknown.length > MAX_COMPARED) return undefined;
  const path = unknown.toLowerCase().replace(/\/+$/, '');
  const cut = path.lastIndexOf('/') + 1;
  const words = SYNONYMS.find((group) => group.includes(path.slice(cut))) ?? [];
  const sibling = words.map((word) => path.slice(0, cut) + word).find((one) => paths.includes(one));
  return sibling ?? nearestTo(path, paths, ({ length }) => Math.ceil(length / 10))?.text;
}

/** Hint for the caller of an unknown operation; empty if no operation is similar. */
export function hintOfUnknown(
  method: string,
  path: string,
  { paths, hasRoute }: { paths: readonly string[]; hasRoute: (method: 'GET' | 'POST') => boolean },
): string {
  if (method !== 'POST' && hasRoute('POST')) return ' Use POST, with the parameters as JSON in the body.';
  if (method !== 'GET' && hasRoute('GET')) return ' Use GET.';
  const likely = likelyPath(path, paths);
  return likely === undefined ? '' : ` Did you mean POST ${likely}?`;
}
