import type { SignIn, SignInCookie } from '../../outside/net/sign-in.ts';
import type { PageAuth, SignInCookieInput } from '../../shapes/agents/page-auth.ts';
import { fillSecrets } from '../agents/page-auth-secrets.ts';
import { looksLikeAction } from './avoided-addresses.ts';

/** Storage of a browser, as Playwright saves it. */
export interface BrowserState {
  cookies: readonly SignInCookieInput[];
  origins: readonly { origin: string; localStorage: { name: string; value: string }[] }[];
}

/** The origins that get the credentials: those of `origins`, and otherwise that of the run's URL alone. */
export const originsOf = ({ origins }: PageAuth, seedUrl: string): ReadonlySet<string> =>
  new Set((origins ?? [seedUrl]).map((one) => new URL(one).origin));

/**
 * The credentials in the clear, with the state that a browser has after it signed in. Cookies and storage of other sites
 * are left out, so that nothing is sent to them.
 */
export function makeSignIn(
  auth: PageAuth,
  seedUrl: string,
  {
    state,
    onAvoided,
  }: { state?: BrowserState | undefined; onAvoided?: ((url: string) => void) | undefined } = {},
): { signIn: SignIn; leftOut: string[] } {
  const origins = originsOf(auth, seedUrl);
  const fill = fillSecrets(auth);
  const { basic } = auth;
  const headers = Object.entries(auth.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fill(value),
  ]);
  const given = [
    ...fromWideToNarrow(auth.storageState?.cookies).map(asSaved),
    ...fromWideToNarrow(auth.cookies).map((cookie) => ({ ...cookie, value: fill(cookie.value) })),
    ...fromWideToNarrow(state?.cookies).map(asSaved),
  ];
  const cookies = new Map<string, SignInCookie>();
  const leftOut = new Set<string>();
  for (const cookie of given) {
    const bound = [...origins].flatMap((origin) => bind(cookie, new URL(origin)));
    if (bound.length === 0) leftOut.add(`${cookie.name} of ${cookie.domain}`);
    // A later one replaces an earlier one: the steps may have renewed a cookie.
    for (const one of bound) cookies.set(JSON.stringify([one.name, one.host, one.path]), one);
  }
  const storage = state?.origins ?? auth.storageState?.origins ?? [];
  const signIn: SignIn = {
    origins,
    headers: {
      ...Object.fromEntries(headers),
      ...(basic && { authorization: basicHeader(basic.username, fill(basic.password)) }),
    },
    cookies: [...cookies.values()],
    storage: storage.filter(({ origin }) => origins.has(new URL(origin).origin)),
    avoids(url) {
      const isAvoided =
        origins.has(URL.parse(url)?.origin ?? '') && onAvoided !== undefined && looksLikeAction(url);
      if (isAvoided) onAvoided(url);
      return isAvoided;
    },
  };
  return { signIn, leftOut: [...leftOut] };
}

const basicHeader = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

interface Given extends SignInCookieInput {
  isForOneHost?: boolean;
}

/** A cookie as a browser saves it: a domain without a dot is a host, whose subdomains do not get the cookie. */
const asSaved = (cookie: SignInCookieInput): Given => ({
  ...cookie,
  isForOneHost: cookie.domain?.startsWith('.') === false,
});

/** Cookies for a domain come before those for hosts in it, which replace them. */
const fromWideToNarrow = (cookies: readonly SignInCookieInput[] = []): SignInCookieInput[] => {
  // Half a character more for a host than for the domain of the same name.
  const width = ({ domain = '' }: SignInCookieInput) => domain.length - (domain.startsWith('.') ? 1.5 : 0);
  return cookies.toSorted((a, b) => width(a) - width(b));
};

/** Fields that the prefix of a cookie's name demands; browsers refuse the cookie without them. */
const DEMANDS = [
  { prefix: /^__(secure|host|http|host-?http)-/i, fields: { secure: true } },
  { prefix: /^__(host-?)?http-/i, fields: { httpOnly: true } },
  { prefix: /^__host(-?http)?-/i, fields: { path: '/' } },
];

/** The cookie for one host alone, if its domain is that host or a parent of it. */
function bind(given: Given, { hostname: host, protocol }: URL): SignInCookie[] {
  const bare = (name: string) => name.replace(/^\[|\]$/g, '');
  const domain = bare((given.domain ?? host).toLowerCase().replace(/^\./, ''));
  if (bare(host) !== domain && (given.isForOneHost || !host.endsWith(`.${domain}`))) return [];
  const demanded = DEMANDS.filter(({ prefix }) => prefix.test(given.name)).map(({ fields }) => fields);
  const cookie: SignInCookieInput = Object.assign({}, given, ...demanded);
  // On a secure site, the cookie must not travel over the insecure address of the same host.
  const secure = protocol === 'https:' || cookie.secure === true;
  const sameSite = cookie.sameSite ?? 'Lax';
  return [
    {
      name: cookie.name,
      value: cookie.value,
      host,
      path: cookie.path ?? '/',
      expires: cookie.expires ?? -1,
      httpOnly: cookie.httpOnly ?? false,
      secure,
      sameSite: sameSite === 'None' && !secure ? 'Lax' : sameSite,
    },
  ];
}
