import { type Browser, type LoadedPage, PageFailure, type View } from '../../outside/browser/browser.ts';
import type { BrowserAgent } from '../../outside/browser-agent/browser-agent.ts';
import type { Lighthouse } from '../../outside/lighthouse/lighthouse-report.ts';
import type { FetchResult, SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { signedHeaders } from '../../outside/net/sign-in.ts';
import type { Outside } from '../../outside/outside.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { RunSession } from './run-session.ts';

/** Everything that leaves the process, signed in to the reviewed site. Other sites get nothing of the session. */
export function signedInOutside(outside: Outside, session: RunSession): Outside {
  const browser = signedInBrowser(outside.browser, session);
  return {
    ...outside,
    browser,
    fetch: signedInFetch(outside.fetch, session),
    lighthouse: signedInLighthouse(outside.lighthouse, browser, session),
    browserAgent: signedInAgent(outside.browserAgent, browser, session),
  };
}

function signedInFetch(fetch: SafeFetch, session: RunSession): SafeFetch {
  return async (url, options = {}) => {
    if (options.anonymous) return await fetch(url, options);
    const signIn = await session.current();
    const ask = (one: typeof signIn) =>
      fetch(url, {
        ...options,
        headersFor: (hop, headers) =>
          one.avoids(hop) ? undefined : { ...headers, ...signedHeaders(one, hop, headers) },
      });
    const answer = await ask(signIn);
    const isDoubtful = session.covers(url) && session.leadsToLogin(url, targetOf(answer), answer.status);
    const renewed = isDoubtful ? await session.renewIfEnded(signIn) : undefined;
    return renewed ? await ask(renewed) : answer;
  };
}

/** Where an answer leads: the target of a redirect that was not followed, or the address that answered. */
const targetOf = ({ url, status, headers: { location } }: FetchResult): string =>
  status >= 300 && status < 400 && location !== undefined ? (URL.parse(location, url)?.href ?? url) : url;

class SignedOut extends Error {
  readonly asked: string;
  readonly final: string;

  constructor(asked: string, final: string) {
    super('The page asks to sign in.');
    this.asked = asked;
    this.final = final;
  }
}

const sessionEnded = ({ asked, final }: SignedOut): PageFailure => {
  const place = final.replace(/[?#].*$/s, '');
  const where =
    place === asked.replace(/[?#].*$/s, '') ? 'the page asks to sign in' : `the page leads to ${place}`;
  return new PageFailure('signed-out', `The session has ended: ${where}.`);
};

const withheld = () =>
  new PageFailure(
    'withheld',
    'The address looks like signing out or changing something, so it is not opened while signed in.',
  );

function signedInBrowser(browser: Browser, session: RunSession): Browser {
  return {
    async withPage<T>(
      url: string,
      view: View,
      options: Parameters<Browser['withPage']>[2],
      use: (loaded: LoadedPage) => Promise<T>,
    ): Promise<T> {
      let signIn = await session.current();
      if (signIn.avoids(url)) throw withheld();
      for (let renewed = false; ; renewed = true) {
        try {
          return await browser.withPage(url, view, { ...options, signIn }, async (loaded) => {
            if (session.covers(url) && (await session.isSignedOut(url, loaded)))
              throw new SignedOut(url, loaded.url);
            return await use(loaded);
          });
        } catch (error) {
          if (!(error instanceof SignedOut)) throw error;
          const next = renewed ? undefined : await session.renew(signIn);
          if (!next) throw sessionEnded(error);
          signIn = next;
        }
      }
    },
    close: () => browser.close(),
  };
}

/** Looks at the page first, since an audit does not show whether it was one of the login form. */
function signedInLighthouse(lighthouse: Lighthouse, browser: Browser, session: RunSession): Lighthouse {
  return async (url, options) => {
    await look(browser, url, options.formFactor, options.signal);
    const report = await lighthouse(url, { ...options, signIn: await session.current() });
    if (session.covers(url) && session.leadsToLogin(url, report.finalUrl, undefined))
      throw sessionEnded(new SignedOut(url, report.finalUrl));
    return report;
  };
}

function signedInAgent(agent: BrowserAgent, browser: Browser, session: RunSession): BrowserAgent {
  return {
    async run(task) {
      await look(browser, task.url, task.deviceType, task.signal);
      return await agent.run({
        ...task,
        signIn: await session.current(),
        async check(loaded) {
          if (session.covers(task.url) && (await session.isSignedOut(task.url, loaded)))
            throw sessionEnded(new SignedOut(task.url, loaded.url));
        },
      });
    },
    close: () => agent.close(),
  };
}

/** Opens a page to learn whether the session still opens it; it is renewed if not. */
const look = (
  browser: Browser,
  url: string,
  deviceType: DeviceType,
  signal: AbortSignal | undefined,
): Promise<void> =>
  browser.withPage(
    url,
    { deviceType, waitUntil: 'settled', skip: ['image', 'media', 'font'], onlyReads: true },
    { ...(signal && { signal }) },
    async () => {},
  );
