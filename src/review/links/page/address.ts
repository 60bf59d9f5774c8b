import { encodeQuery } from './query-charset.ts';

export type Address = { url: string; valid: boolean; internal: boolean } | 'not-http';

/**
 * Resolves an address as browsers do. `not-http` stands for `mailto:`, `tel:`, `javascript:`, `data:` and the schemes
 * of apps, which nothing can fetch. A misspelling of `http` is an invalid address, not the scheme of an app.
 */
export function resolveAddress(raw: string, baseUrl: string, host: string, charset = 'utf-8'): Address {
  if (/^[\s\0]*(data|javascript):/i.test(raw)) return 'not-http';
  const url = URL.parse(encodeQuery(raw, charset), baseUrl);
  if (!url) return { url: raw.trim(), valid: false, internal: false };
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    // An empty fragment means the page itself.
    return { url: url.href.replace(/#$/, ''), valid: true, internal: url.host === host };
  }
  return isMisspelledScheme(url) ? { url: raw.trim(), valid: false, internal: false } : 'not-http';
}

const MISSPELLED = /^(ttps?|htp+s?|hhttps?|htttps?|https{2,}|httpps?|htpts?|hptts?|thtps?|httsp):$/;

function isMisspelledScheme(url: URL): boolean {
  return MISSPELLED.test(url.protocol) && /^\/\//.test(url.href.slice(url.protocol.length));
}

/** The address as it is requested. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

/** Equal for addresses that differ only in scheme, session id, or a fragment that is no route of a script. */
export function pageKey(address: string): string {
  const url = new URL(withoutFragment(address));
  url.protocol = 'http:';
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '');
  for (const name of [...url.searchParams.keys()]) {
    if (/^(phpsessid|jsessionid|aspsessionid\w*)$/i.test(name)) url.searchParams.delete(name);
  }
  // Removes a lone question mark.
  if (url.search === '') url.search = '';
  return url.href + routeOf(address);
}

/** The part after `#` without a text directive; empty if there is none. */
export function fragmentOf(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? '' : url.slice(hash + 1).replace(/:~:.*$/s, '');
}

/** True if a page has the target of a fragment; HTML compares the fragment as written, then decoded. */
export function hasFragment(fragment: string, targets: { has(fragment: string): boolean }): boolean {
  if (fragment === '' || /^top$/i.test(fragment) || targets.has(fragment)) return true;
  const decoded = decode(fragment);
  // Some hosts of rendered Markdown prefix every id and let a script do the jump.
  return targets.has(decoded) || targets.has(`user-content-${decoded}`) || /^top$/i.test(decoded);
}

/** True for routes of single-page applications, which are ids of no element. */
export const isScriptRoute = (fragment: string) => /^(!|\/)/.test(fragment);

/** The fragment of an address with its `#`, if it is a route of a script; otherwise an empty string. */
export function routeOf(url: string): string {
  const fragment = fragmentOf(url);
  return isScriptRoute(fragment) ? `#${fragment}` : '';
}

/** Percent-decoding that keeps invalid sequences, as browsers do. The text is ASCII. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
