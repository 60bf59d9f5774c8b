import type { Page as AgentPage } from '@browserbasehq/stagehand';
import { createSemaphore } from '../../lib/threads/semaphore.ts';
import { PageFailure, type View } from '../browser/browser.ts';
import { openContext, openPage } from '../browser/browser-context.ts';
import { browserNotStarted } from '../browser/chromium-sandbox.ts';
import { type BrowserSettings, type Launched, launchBrowser } from '../browser/launch-browser.ts';
import { loadPage, refusedHost } from '../browser/load-page.ts';
import { createVisit, pageAborted } from '../browser/page-visit.ts';
import type { Guard } from '../net/ssrf-guard.ts';
import { runLoop } from './agent-loop.ts';
import { createAgentPrompt } from './agent-prompt.ts';
import type { BrowserAgent, BrowserTask, BrowserTaskResult } from './browser-agent.ts';
import { openStagehandHost } from './stagehand-host.ts';
import { stagehandModel } from './stagehand-model.ts';
import { isWithinSite } from './within-site.ts';

/** Concurrent tasks; each has its own browser and thread. */
const CONCURRENCY = 2;
const WAITS = { domcontentloaded: 'domcontentloaded', load: 'load', networkidle2: 'networkidle' } as const;

type Closing = (() => Promise<unknown>)[];

/** Runs each task in a browser of its own, driven by a model through Stagehand. */
export function createBrowserAgent(options: BrowserSettings): BrowserAgent {
  const slots = createSemaphore(CONCURRENCY);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function runOne<T>(task: BrowserTask<T>, stop: AbortSignal): Promise<BrowserTaskResult<T>> {
    const visit = createVisit(stop, task.timeoutMs);
    const deadline = performance.now() + task.timeoutMs;
    const opened: Closing = [];
    const work = async () => {
      const browser = await launchBrowser({ ...options, forDriver: true }).catch((cause) => {
        throw browserNotStarted(cause);
      });
      opened.push(browser.end);
      if (visit.isOver) throw pageAborted();
      browser.browser.once('disconnected', visit.crashed);
      return await drive(task, browser, visit.crashed, { opened, deadline, guard: options.guard });
    };
    const working = work();
    try {
      return await visit.run(working);
    } finally {
      visit.end();
      await closeAll(opened);
      // If the browser is still starting, it is ended once it is there.
      void working.catch(() => {}).then(() => closeAll(opened));
    }
  }

  return {
    async run(task) {
      if (options.guard.checkUrl(task.url)) throw refusedHost();
      const stop = AbortSignal.any([task.signal, closing.signal]);
      const release = await slots.acquire(stop).catch((cause) => {
        throw pageAborted(cause);
      });
      const one = runOne(task, stop);
      running.add(one);
      try {
        return await one;
      } finally {
        running.delete(one);
        release();
      }
    },
    async close() {
      closing.abort(new Error('The browser is closing.'));
      await Promise.allSettled(running);
    },
  };
}

async function drive<T>(
  task: BrowserTask<T>,
  launched: Launched,
  crashed: () => void,
  { opened, deadline, guard }: { opened: Closing; deadline: number; guard: Guard },
): Promise<BrowserTaskResult<T>> {
  const { browser, proxy, driverUrl } = launched;
  const view: View = { deviceType: task.deviceType, waitUntil: WAITS[task.waitUntil] };
  const { signIn } = task;
  const context = await openContext(browser, view, { signIn });
  await context.addInitScript(STAY_IN_ONE_PAGE);
  /** Empty until the first load has ended, since it may redirect. */
  const site: string[] = [];
  let away: string | undefined;
  const mayNavigate = (url: string) => {
    const may = (site.length === 0 || isWithinSite(url, site)) && !signIn?.avoids(url);
    if (!may) away = url;
    return may;
  };
  const { trusts } = launched;
  const { page, session } = await openPage(context, view, proxy, { mayNavigate, signIn, trusts });
  page.once('crash', crashed);
  page.once('close', crashed);
  const timeoutMs = Math.min(task.navigationTimeoutMs, deadline - performance.now());
  const loaded = await loadPage(page, session, task.url, view, { proxy, timeoutMs });
  await task.check?.(loaded);
  site.push(task.url, loaded.url);

  let isRefused = false;
  page.on('response', async (response) => {
    const request = response.request();
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    isRefused = (await response.headerValue(proxy.mark.name).catch(() => null)) === proxy.mark.value;
  });

  const prompts = createAgentPrompt(task);
  let failure: unknown;
  const host = await openStagehandHost(driverUrl!);
  opened.unshift(host.close);
  // Loaded on demand: the module is large, and most processes never need it.
  const { localBrowser, Stagehand } = await import('@browserbasehq/stagehand');
  const agentBrowser = await localBrowser.connect({ cdpUrl: host.cdpUrl });
  const stagehand = await Stagehand.create({
    browser: agentBrowser,
    logging: { level: 'off', format: 'json' },
    model: stagehandModel({
      ask: task.ask,
      rules: prompts.rules,
      read: (text) => task.read?.(text, page.url()) ?? text,
      onFailure: (error) => {
        failure = error;
      },
    }),
  });
  const agentPage = await samePage(await agentBrowser.context.pages(), session);
  return await runLoop(
    task,
    {
      stagehand,
      agentPage,
      page,
      checkUrl: guard.checkUrl,
      site,
      wasRefused: () => isRefused,
      takeFailure() {
        const taken = failure;
        failure = undefined;
        return taken;
      },
      takeBlockedUrl() {
        const taken = away;
        away = undefined;
        return taken;
      },
    },
    prompts,
  );
}

/** Popups are blocked, so links and forms that ask for one open in the same page. */
const STAY_IN_ONE_PAGE = `
  addEventListener('click', (event) => {
    for (const node of event.composedPath()) if (node.target && node.href) node.target = '_self';
  }, true);
  addEventListener('submit', (event) => { event.target.target = '_self'; }, true);
`;

/** Finds Stagehand's page by its target id. */
async function samePage(
  pages: AgentPage[],
  session: Awaited<ReturnType<typeof openPage>>['session'],
): Promise<AgentPage> {
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const page = pages.find(({ pageId }) => pageId === targetInfo.targetId);
  if (!page) throw new PageFailure('crash', 'The browser lost the page.');
  return page;
}

async function closeAll(opened: Closing) {
  for (const close of opened.splice(0)) await close().catch(() => {});
}
