import { type BrowserContext, type Browser as Chromium, devices, type Page } from 'playwright-core';
import type { EgressProxy } from '../egress-proxy.ts';
import type { DeviceType, View } from '../outside.ts';

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
    ...deviceOptions(view.deviceType, browser.version()),
    acceptDownloads: false,
  });
  await context.addInitScript(REMOVE_SIDE_CHANNELS);
  return context;
}

export async function openPage(context: BrowserContext, view: View, proxy: EgressProxy): Promise<Page> {
  const page = await context.newPage();
  context.on('page', (popup) => {
    if (popup !== page) popup.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  await signInToProxy(context, page, proxy);
  const skip = new Set<string>(view.skip ?? []);
  if (skip.size > 0) {
    // Saves work and guards nothing: requests that interception misses are the proxy's to judge.
    await page.route('**/*', (route) =>
      (skip.has(route.request().resourceType()) ? route.abort() : route.continue()).catch(() => {}),
    );
  }
  return page;
}

/**
 * Answers the proxy's challenge once; the context's network stack knows the credentials from then on, also
 * where no interception reaches. Playwright's own way keeps every request intercepted, which costs time and
 * turns the cache off.
 */
async function signInToProxy(context: BrowserContext, page: Page, proxy: EgressProxy) {
  const session = await context.newCDPSession(page);
  const { username, password } = proxy;
  const ignore = () => {};
  session.on('Fetch.requestPaused', ({ requestId }) => {
    session.send('Fetch.continueRequest', { requestId }).catch(ignore);
  });
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? { response: 'ProvideCredentials' as const, username, password }
        : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
  });
  await session.send('Fetch.enable', { handleAuthRequests: true });
  const response = await page.goto(proxy.greetingUrl);
  if (response?.status() !== 200) throw new Error('The browser could not sign in to its proxy.');
  await session.send('Fetch.disable');
  await session.detach();
}

/** The identity of an ordinary Chrome of the running version: many sites turn a headless one away. */
function deviceOptions(deviceType: DeviceType, version: string) {
  const chrome = `Chrome/${version.split('.')[0]}.0.0.0`;
  if (deviceType === 'mobile') {
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
