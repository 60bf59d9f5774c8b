import type { BrowserContext, CDPSession, Browser as Chromium, Page } from 'playwright-core';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { EgressProxy } from '../net/egress-proxy.ts';
import { askedAddresses, browserHeaders, type SignIn, type SignInCookie } from '../net/sign-in.ts';
import type { View } from './browser.ts';
import { NOTE_TIMERS } from './pending-timers.ts';

/** Removes APIs that would bypass the egress proxy. */
const REMOVE_SIDE_CHANNELS = `
  for (const name of [
    'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'RTCIceTransport', 'WebTransport',
    'TCPSocket', 'UDPSocket',
  ]) delete globalThis[name];
`;

/**
 * Opens a context without the APIs that would bypass the egress proxy, and with the look of a device. `notesTimers`
 * lets `waitForTimers` answer.
 */
export async function openContext(
  browser: Chromium,
  view: View,
  { notesTimers = false, signIn }: { notesTimers?: boolean; signIn?: SignIn | undefined } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(await deviceOptions(view.deviceType, browser.version())),
    acceptDownloads: false,
    ...(signIn && {
      storageState: {
        cookies: signIn.cookies.map(playwrightCookie),
        origins: signIn.storage.map(({ origin, ...storage }) => ({ origin, ...storage })),
      },
    }),
    // A service worker sends requests of its own, which do not get the headers.
    ...(signIn && Object.keys(signIn.headers).length > 0 && { serviceWorkers: 'block' }),
  });
  await context.addInitScript(notesTimers ? REMOVE_SIDE_CHANNELS + NOTE_TIMERS : REMOVE_SIDE_CHANNELS);
  return context;
}

const playwrightCookie = ({ host, ...cookie }: SignInCookie) => ({
  ...cookie,
  // Without a dot before it, the domain is this host alone.
  domain: host,
});

/** Puts the cookies back into a context that was cleared. */
export const restoreCookies = (context: BrowserContext, { cookies }: SignIn): Promise<void> =>
  context.addCookies(cookies.map(playwrightCookie));

/** True if the page's main frame may navigate to the URL; otherwise the navigation is aborted. */
export type MayNavigate = (url: string) => boolean;

/** Opens the only page of a context: popups are closed and dialogs dismissed. */
export async function openPage(
  context: BrowserContext,
  view: View,
  proxy: EgressProxy,
  { mayNavigate, signIn, trusts }: PageRules = {},
): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  context.on('page', (popup) => {
    if (popup !== page) popup.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  const session = await context.newCDPSession(page);
  await interceptRequests(session, view, proxy, { mayNavigate, signIn });
  if (trusts) await decideOnCertificates(session, trusts);
  return { page, session };
}

export interface PageRules {
  mayNavigate?: MayNavigate | undefined;
  signIn?: SignIn | undefined;
  trusts?: TrustsCertificate | undefined;
}

const refusedCertificates = new WeakMap<CDPSession, Map<string, string>>();

/** Chromium's error of a certificate that was refused here; its own message only says that the load was aborted. */
export const refusedCertificate = (session: CDPSession, { host }: URL): string | undefined =>
  refusedCertificates.get(session)?.get(host);

/** True if the certificate of the URL's host is not to be verified. */
export type TrustsCertificate = (url: string) => boolean;

/** Accepts certificates of unknown authorities, for the hosts alone that the operator has named. */
async function decideOnCertificates(session: CDPSession, trusts: TrustsCertificate): Promise<void> {
  const refused = new Map<string, string>();
  refusedCertificates.set(session, refused);
  session.on('Security.certificateError', ({ eventId, errorType, requestURL }) => {
    const action = trusts(requestURL) ? 'continue' : 'cancel';
    if (action === 'cancel') refused.set(new URL(requestURL).host, errorType);
    session.send('Security.handleCertificateError', { eventId, action }).catch(() => {});
  });
  await session.send('Security.enable');
  await session.send('Security.setOverrideCertificateErrors', { override: true });
}

const RESOURCE_TYPES = { image: 'Image', media: 'Media', font: 'Font', stylesheet: 'Stylesheet' } as const;

/**
 * Answers the proxy's challenge at the first document; from then on, the context's network stack has the credentials,
 * also for requests that cannot be intercepted. Resource types that the view skips are aborted here, which saves work
 * and is no protection. Playwright's own routing intercepts every request, which is slow and disables the cache.
 *
 * Requests to the origins of a sign-in get its headers here, one by one: a redirect is a request of its own, so that the
 * headers never reach another origin. Requests to other ports of their hosts go without cookies.
 */
async function interceptRequests(
  session: CDPSession,
  view: View,
  proxy: EgressProxy,
  { mayNavigate, signIn }: Pick<PageRules, 'mayNavigate' | 'signIn'>,
): Promise<void> {
  // The id of the main frame equals the id of its target.
  const own = mayNavigate && (await session.send('Target.getTargetInfo')).targetInfo.targetId;
  const { username, password } = proxy;
  const ignore = () => {};
  const skipped = new Set<string>((view.skip ?? []).map((kind) => RESOURCE_TYPES[kind]));
  const isForbidden = (resourceType: string, frameId: string, url: string) =>
    resourceType === 'Document' &&
    ((mayNavigate !== undefined && frameId === own && !mayNavigate(url)) || signIn?.avoids(url) === true);
  session.on('Fetch.requestPaused', ({ requestId, resourceType, frameId, request: { url, headers } }) => {
    const errorReason = isForbidden(resourceType, frameId, url)
      ? 'Aborted'
      : skipped.has(resourceType)
        ? 'BlockedByClient'
        : undefined;
    const answer = errorReason
      ? session.send('Fetch.failRequest', { requestId, errorReason })
      : session.send('Fetch.continueRequest', {
          requestId,
          ...(signIn && { headers: browserHeaders(signIn, url, headers) }),
        });
    answer.catch(ignore);
  });
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? { response: 'ProvideCredentials' as const, username, password }
        : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
  });
  const patterns = [
    { resourceType: 'Document' as const },
    ...(view.skip ?? []).map((kind) => ({ resourceType: RESOURCE_TYPES[kind] })),
    ...(signIn ? askedAddresses(signIn).map((urlPattern) => ({ urlPattern })) : []),
  ];
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns });
}

/** Presents the browser as an ordinary Chrome of the same version, since many sites refuse a headless one. */
async function deviceOptions(deviceType: DeviceType, version: string) {
  const chrome = `Chrome/${version.split('.')[0]}.0.0.0`;
  if (deviceType === 'mobile') {
    const { devices } = await import('playwright-core');
    const { defaultBrowserType: _, ...pixel } = devices['Pixel 7']!;
    return { ...pixel, userAgent: pixel.userAgent.replace(/Chrome\/[\d.]+/, chrome) };
  }
  return {
    viewport: { width: 1366, height: 768 },
    screen: { width: 1366, height: 768 },
    deviceScaleFactor: 1,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Safari/537.36`,
  };
}
