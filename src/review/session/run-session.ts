import { plural } from '../../lib/text/plural.ts';
import type { LoadedPage } from '../../outside/browser/browser.ts';
import type { FetchResult } from '../../outside/net/outbound-fetch.ts';
import { covers, type SignIn, signedHeaders } from '../../outside/net/sign-in.ts';
import type { Outside } from '../../outside/outside.ts';
import type { PageAuth } from '../../shapes/agents/page-auth.ts';
import { fillSecrets, tokensOfStorage } from '../agents/page-auth-secrets.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { RunFault } from '../core/run-error.ts';
import { createLoginPages, type KnownLogin, NO_LOGIN_KNOWN } from './login-page.ts';
import { takeSteps } from './login-steps.ts';
import { makeSignIn, originsOf } from './make-sign-in.ts';

/** Time for which a session that was found alive is not asked again. */
const ALIVE_MS = 5_000;
/** Addresses that look like signing out and are listed in the log. */
const MAX_LISTED = 50;

/** The session of a run on the reviewed site. Its steps are taken once, and a second time if the session ends. */
export interface RunSession {
  /** Signs in, and checks that the start page does not lead to the login page. Throws `RunFault`. */
  begin(startUrl: string): Promise<void>;
  current(): Promise<SignIn>;
  covers(url: string): boolean;
  leadsToLogin(asked: string, final: string, status: number | undefined): boolean;
  isSignedOut(asked: string, loaded: LoadedPage): Promise<boolean>;
  /** The next session after one that has ended; undefined if there is none. */
  renew(ended: SignIn): Promise<SignIn | undefined>;
  /** Like `renew`, but first asks the site whether the session has ended, and not only access to one address. */
  renewIfEnded(doubtful: SignIn): Promise<SignIn | undefined>;
}

interface SessionInput {
  auth: PageAuth;
  seedUrl: string;
  outside: Pick<Outside, 'fetch' | 'browser'>;
  log(line: LogLine): void;
  redact(text: string): string;
  /** Receives secrets that the sign-in has brought, which texts must not contain either. */
  onSecrets(values: string[]): void;
  signal: AbortSignal;
}

export function createRunSession(input: SessionInput): RunSession {
  const { auth, seedUrl, outside, log, signal } = input;
  const origins = originsOf(auth, seedUrl);
  const { signInByAll, loginPages, proofOf } = createSigningIn(input);
  let signingIn: Promise<SignIn> | undefined;
  let renewal: Promise<SignIn | undefined> | undefined;
  let alive = { signIn: undefined as SignIn | undefined, until: 0 };

  const current = (): Promise<SignIn> => (signingIn ??= signInByAll());

  const ask = async (signIn: SignIn, url: string): Promise<FetchResult | undefined> =>
    await outside
      .fetch(url, {
        signal,
        wantBody: () => false,
        headersFor: (hop, headers) => ({ ...headers, ...signedHeaders(signIn, hop, headers) }),
      })
      .catch(() => undefined);

  const hasEnded = async (signIn: SignIn): Promise<boolean> => {
    if (alive.signIn === signIn && performance.now() < alive.until) return false;
    const proof = proofOf();
    const answer = await ask(signIn, proof);
    const ended = answer !== undefined && loginPages.leadsToLogin(proof, answer.url, answer.status);
    if (!ended) alive = { signIn, until: performance.now() + ALIVE_MS };
    return ended;
  };

  const renew = async (ended: SignIn): Promise<SignIn | undefined> => {
    const now = await current();
    if (now !== ended) return now;
    if (!auth.steps) return undefined;
    if (renewal) {
      const next = await renewal;
      return next === ended ? undefined : next;
    }
    log({ level: 'warn', message: 'The session has ended. The run signs in again, once.' });
    renewal = signInByAll().catch((error: Error) => {
      signal.throwIfAborted();
      log({ level: 'error', message: input.redact(error.message) });
      return undefined;
    });
    // Pages that notice the end meanwhile wait for the same session.
    signingIn = renewal.then((next) => next ?? ended);
    // It fails only for a run that is being stopped, which may ask for no session any more.
    signingIn.catch(() => {});
    return await renewal;
  };

  return {
    async begin(startUrl) {
      const answer = await ask(await current(), startUrl);
      if (answer && loginPages.leadsToLogin(startUrl, answer.url, answer.status)) {
        const message = `${startUrl} ${endOf(answer)}. The credentials do not sign in.`;
        throw new RunFault('SIGNED_OUT', input.redact(message));
      }
    },
    current,
    covers: (url) => covers({ origins }, url),
    leadsToLogin: loginPages.leadsToLogin,
    isSignedOut: (asked, loaded) => loginPages.isShown(asked, loaded),
    renew,
    async renewIfEnded(doubtful) {
      const isSame = (await current()) === doubtful;
      if (isSame && (!auth.steps || renewal || !(await hasEnded(doubtful)))) return undefined;
      return await renew(doubtful);
    },
  };
}

/** Signs in by the steps and with the other credentials, and keeps what the steps show of the login page. */
function createSigningIn(input: SessionInput) {
  const { auth, seedUrl, log } = input;
  let known: KnownLogin = NO_LOGIN_KNOWN;
  /** A page that the session opens, to ask whether it still does. */
  let proof = seedUrl;
  const loginPages = createLoginPages(auth.signedOut, () => known);
  const onAvoided = listAvoided(log);

  const ready = ({ signIn, leftOut }: ReturnType<typeof makeSignIn>): SignIn => {
    logSignIn(auth, signIn, leftOut, log);
    return signIn;
  };

  const signInByAll = async (): Promise<SignIn> => {
    if (!auth.steps) return ready(makeSignIn(auth, seedUrl, { onAvoided }));
    const taken = await takeSteps({
      browser: input.outside.browser,
      steps: auth.steps,
      seedUrl,
      signIn: makeSignIn(auth, seedUrl).signIn,
      fill: fillSecrets(auth),
      redact: input.redact,
      signal: input.signal,
    });
    known = taken.login;
    proof = loginPages.leadsToLogin(seedUrl, taken.landing, undefined) ? seedUrl : taken.landing;
    input.onSecrets(tokensOfStorage(taken.state));
    return ready(makeSignIn(auth, seedUrl, { onAvoided, state: taken.state }));
  };

  return { signInByAll, loginPages, proofOf: () => proof };
}

function logSignIn(
  { steps }: PageAuth,
  { origins, headers, cookies, storage }: SignIn,
  leftOut: string[],
  log: (line: LogLine) => void,
): void {
  const parts = [
    ...(steps ? [plural(steps.length, 'step')] : []),
    ...(Object.keys(headers).length > 0 ? [plural(Object.keys(headers).length, 'header')] : []),
    ...(cookies.length > 0 ? [plural(cookies.length, 'cookie')] : []),
    ...(storage.length > 0 ? ['stored data'] : []),
  ];
  const message = `Signed in to ${[...origins].join(' and ')} with ${parts.join(', ')}.`;
  log({ level: 'info', kind: 'phase', message });
  if (leftOut.length > 0)
    log({
      level: 'info',
      message: `${plural(leftOut.length, 'cookie')} of other sites are not sent.`,
      data: { cookies: leftOut.slice(0, MAX_LISTED) },
    });
}

const endOf = ({ url, status }: FetchResult): string =>
  status >= 400 ? `answers with HTTP ${status}` : `leads to ${url.replace(/[?#].*$/s, '')}`;

/** Lists each address that is not requested once. */
function listAvoided(log: (line: LogLine) => void): (url: string) => void {
  const listed = new Set<string>();
  return (url) => {
    if (listed.has(url) || listed.size > MAX_LISTED) return;
    listed.add(url);
    const isLast = listed.size > MAX_LISTED;
    log({
      level: 'info',
      message: isLast
        ? 'Further addresses that look like signing out or changing something are not listed.'
        : `Not requested while signed in: ${url} looks like signing out or changing something.`,
      data: isLast ? {} : { url },
    });
  };
}
