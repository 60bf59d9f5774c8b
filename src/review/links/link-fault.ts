import type { RedirectChain } from './follow-redirects.ts';
import type { LinkKind } from './page/link-kind.ts';

/** A reason why an address does not work for readers. */
export interface Fault {
  type:
    | 'invalid-url'
    | 'http'
    | 'auth'
    | 'rate-limited'
    | 'timeout'
    | 'network'
    | 'redirect-loop'
    | 'too-many-redirects'
    | 'bad-redirect'
    | 'fragment';
  redirects: { url: string; status: number }[];
  finalUrl: string;
  status?: number;
  /** The `FetchFailureKind` of a failed request. */
  failure?: string;
  /** True if no request was sent, because the host had answered none of the earlier requests. */
  presumed?: boolean;
  /**
   * False for a presumed timeout, and for a missing fragment that scripts may add if no browser was available to check.
   */
  certain?: boolean;
}

/** The fault of an address. Undefined if there is none, or if it cannot be known, such as behind a bot protection. */
export function faultOf(chain: RedirectChain, url: string, kind: LinkKind): Fault | undefined {
  const { final, redirects, problem } = chain;
  const fault = (type: Fault['type'], more: Partial<Fault> = {}): Fault => ({
    type,
    redirects,
    finalUrl: final.url,
    ...more,
  });
  if (problem === 'bad-redirect') return fault(problem, { finalUrl: final.location ?? final.url });
  if (problem) return fault(problem);
  // An address that the SSRF guard refuses may work for readers in another network.
  if (final.isBotWall || UNJUDGED.has(final.failure)) return undefined;
  if (final.failure === 'timeout')
    return fault('timeout', final.presumed ? { presumed: true, certain: false } : {});
  if (final.failure) return fault('network', { failure: final.failure });

  const status = final.status ?? 0;
  // A form gets an empty request, so only an absent page is a fault of its address.
  if (kind === 'form' && status !== 404 && status !== 410) return undefined;
  if (status === 401 || status === 403 || status === 407) return fault('auth', { status });
  if (status === 429) return fault('rate-limited', { status });
  if (isFine(status))
    return redirects.length > 0 && isLoginRedirect(url, final.url) ? fault('auth', { status }) : undefined;
  return fault('http', { status });
}

const UNJUDGED = new Set<string | undefined>(['refused-host', 'withheld', 'aborted']);

const isFine = (status: number) => (status >= 200 && status <= 300) || status === 304;

const LOGIN_WORDS = new Set(
  'login logon signin signon sso auth authenticate authentication authorize oauth oauth2 saml'.split(' '),
);
/** A longer name with such a word is more likely an article than a login page. */
const MAX_WORDS = 3;

/** True if a redirect leads to a login page. */
export function isLoginRedirect(from: string, to: string): boolean {
  return namesLogin(new URL(to)) && !namesLogin(new URL(from));
}

export function namesLogin({ hostname, pathname }: URL): boolean {
  const labels = hostname.split('.').slice(0, -2);
  return [...labels, ...pathname.split('/')].some(isLoginName);
}

/** Compares whole words, since `/blogin` and `/authors` are not login pages. */
function isLoginName(segment: string): boolean {
  const words = segment
    .replace(/\.(php|aspx?|jsp|html?|do|cgi|action)$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  return words.some(
    (word, index) =>
      LOGIN_WORDS.has(word) ||
      ((word === 'log' || word === 'sign') && (words[index + 1] === 'in' || words[index + 1] === 'on')),
  );
}
