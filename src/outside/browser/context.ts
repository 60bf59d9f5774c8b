import type { BrowserContext, CDPSession, Browser as Chromium, Page } from 'playwright-core';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { EgressProxy } from '../net/egress-proxy.ts';
import type { View } from './browser.ts';

/** Ways out that a proxy does not see, or would have to carry for nothing. */
const REMOVE_SIDE_CHANNELS = `
  for (const name of [
    'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'RTCIceTransport', 'WebTransport',
    'TCPSocket', 'UDPSocket',
  ]) delete globalThis[name];
`;

/** A fresh context with one blank page, which may use the proxy. */
export async function openContext(browser: Chromium, view: View): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(await deviceOptions(view.deviceType, browser.version())),
    acceptDownloads: false,
  });
  await context.addInitScript(REMOVE_SIDE_CHANNELS);
  return context;
}

/** Whether the page itself may go to an address; where not, it stays as it is. */
export type MayOpen = (url: string) => boolean;

export async function openPage(
  context: BrowserContext,
  view: View,
  proxy: EgressProxy,
  mayOpen?: MayOpen,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  context.on('page', (popup) => {
    if (popup !== page) popup.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  return { page, session: await interceptWhatMustBe(context, page, view, proxy, mayOpen) };
}

const RESOURCE_TYPES = { image: 'Image', media: 'Media', font: 'Font', stylesheet: 'Stylesheet' } as const;

/**
 * Answers the proxy's challenge with the first document; the context's network stack knows the credentials from
 * then on, also where no interception reaches. What the view skips is aborted here as well, which saves work and
 * guards nothing. Playwright's own ways intercept every request, which costs time and turns the cache off.
 */
async function interceptWhatMustBe(
  context: BrowserContext,
  page: Page,
  view: View,
  proxy: EgressProxy,
  mayOpen: MayOpen | undefined,
) {
  const session = await context.newCDPSession(page);
  // The page's own frame has the name of the page.
  const own = mayOpen && (await session.send('Target.getTargetInfo')).targetInfo.targetId;
  const { username, password } = proxy;
  const ignore = () => {};
  const stays = (resourceType: string, frameId: string, url: string) =>
    mayOpen !== undefined && resourceType === 'Document' && frameId === own && !mayOpen(url);
  session.on('Fetch.requestPaused', ({ requestId, resourceType, frameId, request }) => {
    const errorReason = stays(resourceType, frameId, request.url) ? 'Aborted' : 'BlockedByClient';
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

/** The identity of an ordinary Chrome of the running version: many sites turn a headless one away. */
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
