import { fragmentOf, withoutFragment } from './address.ts';
import type { Hop } from './fetch-once.ts';

/** Where an address leads in the end. */
export interface Reached {
  redirects: { url: string; status: number }[];
  final: Hop;
  /** The fragment that the last redirect with one put in the place of the link's own. */
  fragment?: string;
  problem?: 'redirect-loop' | 'too-many-redirects' | 'bad-redirect';
}

export type AskHop = (url: string, cookie?: string) => Promise<Hop>;

// As many as browsers follow.
const MAX_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Follows redirects hop by hop, so that addresses with a common target ask it once. */
export async function reach(url: string, ask: AskHop): Promise<Reached> {
  const plain = await follow(url, ask);
  // Some sites send a reader round until a cookie comes back; a browser gets through.
  if (plain.problem === 'redirect-loop' && plain.cookies.size > 0) return follow(url, ask, new Map());
  return plain;
}

type Jar = Map<string, Map<string, string>>;

async function follow(address: string, ask: AskHop, jar?: Jar): Promise<Reached & { cookies: Jar }> {
  const cookies: Jar = jar ?? new Map();
  const redirects: Reached['redirects'] = [];
  const seen = new Set<string>();
  let url = address;
  let fragment: string | undefined;
  while (true) {
    const cookie = jar && cookieHeader(jar, url);
    seen.add(`${url} ${cookie ?? ''}`);
    const final = await ask(url, cookie);
    if (final.setCookie) keepCookies(cookies, url, final.setCookie);
    const reached = { redirects, final, cookies, ...(fragment !== undefined && { fragment }) };
    if (!REDIRECTS.has(final.status ?? 0) || !final.location) return reached;

    redirects.push({ url, status: final.status! });
    const next = resolveLocation(final.location, url);
    if (!next) return { ...reached, problem: 'bad-redirect' };
    // A redirect into an app or a mail program is the end of what can be asked, and no fault.
    if (!/^https?:/.test(next)) return { ...reached, final: { ...final, status: 204 } };
    if (next.includes('#')) fragment = fragmentOf(next);
    url = withoutFragment(next);
    if (seen.has(`${url} ${(jar && cookieHeader(jar, url)) ?? ''}`))
      return { ...reached, problem: 'redirect-loop' };
    if (redirects.length > MAX_REDIRECTS) return { ...reached, problem: 'too-many-redirects' };
  }
}

/** Header bytes arrive as Latin-1 characters; escaped, they mean what the server wrote in any charset. */
function resolveLocation(location: string, from: string): string | undefined {
  const escaped = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return URL.parse(escaped, from)?.href;
}

function keepCookies(jar: Jar, url: string, header: string): void {
  const { hostname } = new URL(url);
  const cookies = jar.get(hostname) ?? new Map<string, string>();
  jar.set(hostname, cookies);
  // Several cookies come joined by commas, which also stand within dates.
  for (const part of header.split(/,\s*(?=[^;,\s=]+=)/)) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(part) ?? [];
    if (name !== undefined) cookies.set(name.trim(), value!.trim());
  }
}

function cookieHeader(jar: Jar, url: string): string | undefined {
  const cookies = jar.get(new URL(url).hostname);
  return cookies && [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
