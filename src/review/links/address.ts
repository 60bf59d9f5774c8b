import { encodeQuery } from './query-charset.ts';

export type Address = { url: string; valid: boolean; internal: boolean } | 'not-asked';

/**
 * Resolves an address as a browser would. What is not fetched over HTTP is not asked: `mailto:`, `tel:`,
 * `javascript:`, `data:` and the schemes of apps; a misspelt `http` is no app and cannot work for anyone.
 */
export function resolveAddress(raw: string, baseUrl: string, host: string, charset = 'utf-8'): Address {
  if (/^[\s\0]*(data|javascript):/i.test(raw)) return 'not-asked';
  const url = URL.parse(encodeQuery(raw, charset), baseUrl);
  if (!url) return { url: raw.trim(), valid: false, internal: false };
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    // An empty fragment leads nowhere else.
    return { url: url.href.replace(/#$/, ''), valid: true, internal: url.host === host };
  }
  return isMisspeltScheme(url) ? { url: raw.trim(), valid: false, internal: false } : 'not-asked';
}

const MISSPELT = /^(ttps?|htp+s?|hhttps?|htttps?|https{2,}|httpps?|htpts?|hptts?|thtps?|httsp):$/;

function isMisspeltScheme(url: URL): boolean {
  return MISSPELT.test(url.protocol) && /^\/\//.test(url.href.slice(url.protocol.length));
}

/** The address asked: fragments stay with the reader. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

/** One page however a session is written into its address. */
export function pageKey(address: string): string {
  const url = new URL(withoutFragment(address));
  url.protocol = 'http:';
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '');
  for (const name of [...url.searchParams.keys()]) {
    if (/^(phpsessid|jsessionid|aspsessionid\w*)$/i.test(name)) url.searchParams.delete(name);
  }
  // A lone question mark asks for nothing.
  if (url.search === '') url.search = '';
  return url.href;
}

/** The part after `#`, without a text directive; empty where there is none. */
export function fragmentOf(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? '' : url.slice(hash + 1).replace(/:~:.*$/s, '');
}

/** Whether a page has what a fragment points at; by HTML's rule as written first, then decoded. */
export function hasFragment(fragment: string, targets: ReadonlySet<string>): boolean {
  if (fragment === '' || /^top$/i.test(fragment) || targets.has(fragment)) return true;
  const decoded = decode(fragment);
  // Some hosts of rendered Markdown prefix every id and let a script do the jump.
  return targets.has(decoded) || targets.has(`user-content-${decoded}`) || /^top$/i.test(decoded);
}

/** Routes of pages that script draws: no place on the page has such a name. */
export const isScriptRoute = (fragment: string) => /^(!|\/)/.test(fragment);

/** Percent-decoding that leaves alone what is no valid sequence, as browsers do; addresses are ASCII here. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
