import { domainToASCII } from 'node:url';

type Token = { kind: 'char'; char: string } | { kind: 'one' | 'run' | 'any' | 'folders' | 'rest' };

/**
 * True if the URL matches one of the patterns. `?` matches one character and `*` any number of characters, both within
 * a path segment; `**` crosses segments, and a pattern that ends in `/**` also matches the folder itself. A pattern
 * that begins with `/` applies to the path on any host, one with `://` to the whole URL, and any other to host and
 * path. The query is compared only if the pattern matches it, the fragment only if the pattern has a `#`. A trailing
 * slash is ignored, and `*` alone matches everything. picomatch is made for file paths: brackets, braces, parentheses
 * and a leading `!` are special to it, but plain characters in URLs.
 */
export function matchesAny(patterns: readonly string[], url: string): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  return patterns.some((pattern) => matchesUrl(pattern.trim(), parsed));
}

function matchesUrl(pattern: string, url: URL): boolean {
  if (pattern === '') return false;
  if (pattern === '*') return true;
  const host = url.protocol === 'file:' ? '' : url.host;
  const start = pattern.startsWith('/') ? '' : pattern.includes('://') ? `${url.protocol}//${host}` : host;
  const prepared = tokens(normalPattern(pattern));
  const fragment = pattern.includes('#') ? url.hash : '';
  const path = start + withoutEndSlash(url.pathname);
  const candidates = new Set([path, path + url.search, path + url.search + fragment, path + fragment]);
  return [...candidates].some((text) => matches(prepared, text));
}

/** Matches a whole text, in which only `/` is special. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matches(tokens(pattern), text);
}

const withoutEndSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** Normalizes a pattern in the way of `URL`: host in ASCII and lower case, path percent-encoded. */
function normalPattern(pattern: string): string {
  const scheme = /^[^/]*:\/\//.exec(pattern)?.[0] ?? '';
  const slash = pattern.indexOf('/', scheme.length);
  const hostEnd = slash < 0 ? pattern.length : slash;
  const host = pattern.slice(scheme.length, hostEnd).toLowerCase().split('.').map(asciiLabel).join('.');
  const path = pattern.slice(hostEnd) || (host.endsWith('*') ? '' : '/');
  const encoded = path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  const isRoot = encoded === '/';
  return scheme.toLowerCase() + host + (isRoot ? encoded : encoded.replace(/\/$/, ''));
}

const asciiLabel = (label: string) => (/[^\x00-\x7f]/.test(label) ? domainToASCII(label) || label : label);

function tokens(pattern: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at]!;
    if (char === '?') {
      found.push({ kind: 'one' });
      at += 1;
    } else if (char === '*') {
      let end = at;
      while (pattern[end] === '*') end += 1;
      const afterSlash = at === 0 || pattern[at - 1] === '/';
      const last = found.at(-1);
      if (end - at === 1) {
        found.push({ kind: 'run' });
      } else if (last?.kind === 'char' && last.char === '/' && end === pattern.length) {
        found.pop();
        found.push({ kind: 'rest' });
      } else if (afterSlash && pattern[end] === '/') {
        found.push({ kind: 'folders' });
        end += 1;
      } else {
        found.push({ kind: 'any' });
      }
      at = end;
    } else {
      found.push({ kind: 'char', char });
      at += 1;
    }
  }
  return found;
}

/**
 * Simulates an automaton over the set of reachable text positions, in O(pattern × text). Backtracking would be
 * exponential for patterns such as `a*a*a*b`.
 */
function matches(pattern: readonly Token[], text: string): boolean {
  let ends = new Uint8Array(text.length + 1);
  ends[0] = 1;
  for (const token of pattern) {
    const next = step(token, ends, text);
    if (!next.includes(1)) return false;
    ends = next;
  }
  return ends[text.length] === 1;
}

function step(token: Token, ends: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(text.length + 1);
  let open = false;
  for (let at = 0; at <= text.length; at += 1) {
    const before = text[at - 1];
    const reached = ends[at] === 1;
    if (token.kind === 'char') {
      if (reached && text[at] === token.char) next[at + 1] = 1;
    } else if (token.kind === 'one') {
      if (reached && at < text.length && text[at] !== '/') next[at + 1] = 1;
    } else if (token.kind === 'run') {
      open = reached || (open && before !== '/');
      if (open) next[at] = 1;
    } else if (token.kind === 'any') {
      open ||= reached;
      if (open) next[at] = 1;
    } else if (token.kind === 'folders') {
      if (reached || (open && before === '/')) next[at] = 1;
      open ||= reached;
    } else {
      if (reached || open) next[at] = 1;
      open ||= reached && text[at] === '/';
    }
  }
  return next;
}
