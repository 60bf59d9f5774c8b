import type { FetchOutcome } from './fetch-once.ts';
import { fragmentOf, withoutFragment } from './page/address.ts';

export interface RedirectChain {
  redirects: { url: string; status: number }[];
  /** Outcome at the end of the chain. */
  final: FetchOutcome;
  /** Fragment of the last redirect that has one; it replaces the fragment of the link. */
  fragment?: string;
  problem?: 'redirect-loop' | 'too-many-redirects' | 'bad-redirect';
}

export type FetchOnce = (url: string, cookie?: string) => Promise<FetchOutcome>;

/** The limit of browsers. */
const MAX_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Follows redirects one request at a time, so that a common target of several addresses is fetched once. */
export async function followRedirects(url: string, fetchOnce: FetchOnce): Promise<RedirectChain> {
  const plain = await follow(url, fetchOnce);
  // Some sites redirect to themselves until a cookie comes back, which browsers send.
  if (plain.problem === 'redirect-loop' && plain.cookies.size > 0) return follow(url, fetchOnce, new Map());
  return plain;
}

/** Cookies by name, by host. */
type CookieJar = Map<string, Map<string, string>>;

async function follow(
  address: string,
  fetchOnce: FetchOnce,
  jar?: CookieJar,
): Promise<RedirectChain & { cookies: CookieJar }> {
  const cookies: CookieJar = jar ?? new Map();
  const redirects: RedirectChain['redirects'] = [];
  const seen = new Set<string>();
  let url = address;
  let fragment: string | undefined;
  while (true) {
    const cookie = jar && cookieHeader(jar, url);
    seen.add(`${url} ${cookie ?? ''}`);
    const final = await fetchOnce(url, cookie);
    if (final.setCookie) keepCookies(cookies, url, final.setCookie);
    const chain = { redirects, final, cookies, ...(fragment !== undefined && { fragment }) };
    if (!REDIRECTS.has(final.status ?? 0) || !final.location) return chain;

    redirects.push({ url, status: final.status! });
    const next = resolveLocation(final.location, url);
    if (!next) return { ...chain, problem: 'bad-redirect' };
    // A redirect to an app or a mail program cannot be followed, and works for readers.
    if (!/^https?:/.test(next)) return { ...chain, final: { ...final, status: 204 } };
    if (next.includes('#')) fragment = fragmentOf(next);
    url = withoutFragment(next);
    if (seen.has(`${url} ${(jar && cookieHeader(jar, url)) ?? ''}`))
      return { ...chain, problem: 'redirect-loop' };
    if (redirects.length > MAX_REDIRECTS) return { ...chain, problem: 'too-many-redirects' };
  }
}

const PROBLEMS: Record<NonNullable<RedirectChain['problem']>, string> = {
  'redirect-loop': 'it redirects in a circle',
  'too-many-redirects': 'it redirects too often',
  'bad-redirect': 'it redirects to what is no URL',
};

/** Reason why a chain does not end at a page, in words that follow "The page could not be read:". */
export function whyUnread({ final, problem }: RedirectChain): string {
  if (problem) return PROBLEMS[problem];
  if (final.failure) return final.reason ?? final.failure;
  const isOk = final.status! >= 200 && final.status! < 300;
  return isOk ? 'it is no HTML' : `it answered with HTTP ${final.status}`;
}

/** Header bytes arrive as Latin-1 characters. Percent-encoded, they mean the same in any charset. */
function resolveLocation(location: string, from: string): string | undefined {
  const escaped = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return URL.parse(escaped, from)?.href;
}

function keepCookies(jar: CookieJar, url: string, header: string): void {
  const { hostname } = new URL(url);
  const cookies = jar.get(hostname) ?? new Map<string, string>();
  jar.set(hostname, cookies);
  // Commas join several cookies, and also stand in their dates.
  for (const part of header.split(/,\s*(?=[^;,\s=]+=)/)) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(part) ?? [];
    if (name !== undefined) cookies.set(name.trim(), value!.trim());
  }
}

function cookieHeader(jar: CookieJar, url: string): string | undefined {
  const cookies = jar.get(new URL(url).hostname);
  return cookies && [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
