import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { atEnd, atWorkerEnd } from '../run/at-end.ts';
import { noteFailure } from '../run/log-watch.ts';
import { PATIENCE_MS } from '../run/patience.ts';

/** A name under which pages find servers of tests on loopback; browsers trust it no more than any other without TLS. */
export const PLAIN_HOST = 'pages.test';

let running: Promise<Browser> | undefined;

/**
 * The browser in which all tests of a worker open pages. It runs until the worker ends; it notices also if that is killed,
 * since Playwright talks to it over a pipe.
 */
export const testBrowser = (): Promise<Browser> => (running ??= launch());

async function launch(): Promise<Browser> {
  const { path, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env } as Record<string, string>,
    args: [
      // Nothing is looked up, and nothing leaves loopback.
      `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      // Pages in a sandbox would have to ask before they reach loopback.
      '--disable-features=LocalNetworkAccessChecks',
    ],
    // The worker decides what its signals end.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  browser.once('disconnected', () => {
    running = undefined;
  });
  atWorkerEnd(() => browser.close());
  return browser;
}

/** Programs other than tests end the browser themselves. */
export const closeTestBrowser = async (): Promise<void> => void (await (await running)?.close());

interface ContextOptions extends BrowserContextOptions {
  /** Hosts with their ports to which pages may send requests, besides what is opened; by default all. */
  onlyHosts?: readonly string[];
  /** False for pages that are not ours. */
  isWatched?: boolean;
}

/**
 * A browser profile for the running test, or, outside of a test, for its file. Errors and warnings in the consoles of its
 * pages, errors that a page does not catch, and requests to hosts other than `onlyHosts` count as lines of a log: the test
 * fails unless it calls `expectLog`.
 */
export async function newTestContext({
  onlyHosts,
  isWatched = true,
  ...options
}: ContextOptions = {}): Promise<BrowserContext> {
  const context = await (await testBrowser()).newContext(options);
  atEnd(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  if (!isWatched) return context;
  const note = (text: string, level = 'error') => noteFailure({ level, text, source: 'a page' });
  context.on('console', (message) => {
    const type = message.type();
    if (type !== 'error' && type !== 'warning') return;
    note(`${message.text()} (${message.location().url})`, type === 'error' ? 'error' : 'warn');
  });
  context.on('weberror', (webError) => {
    const error = webError.error();
    note(`${error.stack ?? error.message} (${webError.page()?.url()})`);
  });
  if (onlyHosts)
    context.on('request', (request) => {
      const url = new URL(request.url());
      const isOutside = /^(https?|wss?):$/.test(url.protocol) && !onlyHosts.includes(url.host);
      if (isOutside && !request.isNavigationRequest()) note(`request to ${url.href}`);
    });
  return context;
}
