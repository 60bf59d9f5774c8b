/** A cookie for one host, never for its subdomains. */
export interface SignInCookie {
  name: string;
  value: string;
  /** As URLs name it, so an IPv6 address is in brackets. */
  host: string;
  path: string;
  /** Epoch seconds; -1 for a cookie of the session. */
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
}

/** Local storage and databases of an origin, as Playwright saves and restores them. */
export interface OriginStorage {
  origin: string;
  localStorage: { name: string; value: string }[];
}

/**
 * Credentials of a site in the clear, for requests to its origins only. Browsers and fetches take the same value, so that
 * none of them sends more than the others.
 */
export interface SignIn {
  origins: ReadonlySet<string>;
  /** By lower-case name; with basic authentication as `authorization`. */
  headers: Readonly<Record<string, string>>;
  cookies: readonly SignInCookie[];
  storage: readonly OriginStorage[];
  /** True for an address of the site that is never requested, such as one that signs out. */
  avoids(url: string): boolean;
}

export const covers = ({ origins }: Pick<SignIn, 'origins'>, url: string): boolean => {
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && origins.has(origin);
};

type RequestRules = Pick<SignIn, 'origins' | 'headers'>;

/**
 * Patterns of the addresses whose requests a browser has to ask `browserHeaders` about. Browsers send cookies to all ports
 * and schemes of a host, which are other origins.
 */
export function askedAddresses({ origins, headers }: RequestRules): string[] {
  const hosts = new Set([...origins].map((origin) => new URL(origin).hostname));
  const others = [...hosts].flatMap((host) => [
    ...[`http://${host}`, `https://${host}`]
      .filter((origin) => !origins.has(origin))
      .map((one) => `${one}/*`),
    `*://${host}:*/*`,
  ]);
  const own = Object.keys(headers).length > 0 ? [...origins].map((origin) => `${origin}/*`) : [];
  return [...others, ...own];
}

/**
 * The headers of a browser's request with those of the sign-in; without cookies, if it goes to another port or scheme of
 * a host of the site. Undefined if nothing changes. What the page's scripts authorize themselves with is kept.
 */
export function browserHeaders(
  { origins, headers }: RequestRules,
  url: string,
  own: Readonly<Record<string, string>>,
): { name: string; value: string }[] | undefined {
  const isOwn = covers({ origins }, url);
  const { hostname } = new URL(url);
  if (!isOwn && ![...origins].some((origin) => new URL(origin).hostname === hostname)) return undefined;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const added = Object.entries(isOwn ? headers : { cookie: '' }).filter(
    ([name]) => name !== 'authorization' || !names.has('authorization'),
  );
  // The browser adds its cookies later; here is at most the empty header of a request that was redirected.
  const replaced = new Set(['cookie', ...added.map(([name]) => name)]);
  return [...Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase())), ...added].map(
    ([name, value]) => ({ name, value }),
  );
}

/**
 * Headers for a request without a browser; none for another origin. The caller's own cookies go along, and it may
 * authorize itself in another way.
 */
export function signedHeaders(
  signIn: SignIn,
  url: string,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (!covers(signIn, url)) return {};
  const { cookie: ownCookie, authorization } = own;
  const cookies = cookieHeader(signIn, new URL(url), ownCookie);
  return {
    ...Object.fromEntries(Object.entries(signIn.headers).map(([name, value]) => [name, asBytes(value)])),
    ...(authorization !== undefined && { authorization }),
    ...(cookies !== '' && { cookie: cookies }),
  };
}

/** A character for each byte in UTF-8, which is what browsers send and what clients take for a header. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

function cookieHeader({ cookies }: SignIn, url: URL, own = ''): string {
  const isSecure = url.protocol === 'https:';
  const ownNames = new Set(own.split(/;\s*/).map((pair) => pair.split('=', 1)[0]));
  const sent = cookies.filter(
    (one) =>
      one.host === url.hostname &&
      (isSecure || !one.secure) &&
      isWithin(url.pathname, one.path) &&
      (one.expires < 0 || one.expires * 1000 > Date.now()) &&
      !ownNames.has(one.name),
  );
  return [...(own === '' ? [] : [own]), ...sent.map(({ name, value }) => asBytes(`${name}=${value}`))].join(
    '; ',
  );
}

/** Path matching of RFC 6265, section 5.1.4. */
const isWithin = (path: string, base: string): boolean =>
  path === base || (path.startsWith(base) && (base.endsWith('/') || path[base.length] === '/'));
