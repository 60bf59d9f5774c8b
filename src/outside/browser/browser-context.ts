import type { BrowserContext, CDPSession, Browser as Chromium, Page } from 'playwright-core';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { EgressProxy } from '../net/egress-proxy.ts';
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
  { notesTimers = false } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(await deviceOptions(view.deviceType, browser.version())),
    acceptDownloads: false,
  });
  await context.addInitScript(notesTimers ? REMOVE_SIDE_CHANNELS + NOTE_TIMERS : REMOVE_SIDE_CHANNELS);
  return context;
}

/** True if the page's main frame may navigate to the URL; otherwise the navigation is aborted. */
export type MayNavigate = (url: string) => boolean;

/** Opens the only page of a context: popups are closed and dialogs dismissed. */
export async function openPage(
  context: BrowserContext,
  view: View,
  proxy: EgressProxy,
  mayNavigate?: MayNavigate,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  context.on('page', (popup) => {
    if (popup !== page) popup.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  return { page, session: await interceptRequests(context, page, view, proxy, mayNavigate) };
}

const RESOURCE_TYPES = { image: 'Image', media: 'Media', font: 'Font', stylesheet: 'Stylesheet' } as const;

/**
 * Answers the proxy's challenge at the first document; from then on, the context's network stack has the credentials,
 * also for requests that cannot be intercepted. Resource types that the view skips are aborted here, which saves work
 * and is no protection. Playwright's own routing intercepts every request, which is slow and disables the cache.
 */
async function interceptRequests(
  context: BrowserContext,
  page: Page,
  view: View,
  proxy: EgressProxy,
  mayNavigate: MayNavigate | undefined,
) {
  const session = await context.newCDPSession(page);
  // The id of the main frame equals the id of its target.
  const own = mayNavigate && (await session.send('Target.getTargetInfo')).targetInfo.targetId;
  const { username, password } = proxy;
  const ignore = () => {};
  const isForbidden = (resourceType: string, frameId: string, url: string) =>
    mayNavigate !== undefined && resourceType === 'Document' && frameId === own && !mayNavigate(url);
  session.on('Fetch.requestPaused', ({ requestId, resourceType, frameId, request }) => {
    const errorReason = isForbidden(resourceType, frameId, request.url) ? 'Aborted' : 'BlockedByClient';
    const isWanted = resourceType === 'Document' && errorReason !== 'Aborted';
    const answer = isWanted
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason });
    answer.catch(ignore);
  });
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? { response: 'ProvideCredentials' as const, username, password }
        : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
  });
  const skipped = (view.skip ?? []).map((kind) => RESOURCE_TYPES[kind]);
  const patterns = (['Document', ...skipped] as const).map((resourceType) => ({ resourceType }));
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns });
  return session;
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
