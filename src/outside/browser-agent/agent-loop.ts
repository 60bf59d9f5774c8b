import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as AgentPage, Stagehand } from '@browserbasehq/stagehand';
import type { Frame, Page, Request } from 'playwright-core';
import { cutText } from '../../lib/text/cut-text.ts';
import { type CheckUrl, UNREACHABLE } from '../net/ssrf-guard.ts';
import { type createAgentPrompt, describeStep, type PageView, type PerformedAction } from './agent-prompt.ts';
import { type ModelStep, stepOf, stepSchema } from './agent-step.ts';
import type { BrowserTask, BrowserTaskResult } from './browser-agent.ts';
import { isWithinSite } from './within-site.ts';

export interface AgentSession {
  stagehand: Stagehand;
  /** The same page for Stagehand and for Playwright. */
  agentPage: AgentPage;
  page: Page;
  checkUrl: CheckUrl;
  /** Returns and clears the error of a failed model request of Stagehand's own. */
  takeFailure(): unknown;
  /** URLs whose site the page must not leave. */
  site: readonly string[];
  /** Returns and clears the URL of a blocked navigation to another site. */
  takeBlockedUrl(): string | undefined;
  /** True if the open page is the egress proxy's own answer. */
  wasRefused(): boolean;
}

type Prompts = ReturnType<typeof createAgentPrompt>;

/** Longer outlines are cut; the model can still extract from the whole page. */
const MAX_OUTLINE_CHARS = 60_000;
const ACTION_MS = 15_000;
/** Time limit for loading after an action. */
const SETTLE_MS = 5_000;
const SCROLLED_SHARE = 0.8;
/** Share of the time limit for actions; the rest is for the answer. */
const ACTIONS_SHARE = 0.75;

/** Shows the model the page, performs the action it names, and repeats that until it asks for the answer. */
export async function runLoop<T>(
  task: BrowserTask<T>,
  driven: AgentSession,
  prompts: Prompts,
): Promise<BrowserTaskResult<T>> {
  const { page, site } = driven;
  const visited = new Set([page.url()]);
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && isWithinSite(frame.url(), site)) visited.add(frame.url());
  });
  const history: PerformedAction[] = [];
  let last: PageView | undefined;
  let why = 'Your actions are used up.';
  const schema = stepSchema(task.mode);
  const late = performance.now() + task.timeoutMs * ACTIONS_SHARE;
  for (let step = 1; step <= task.maxSteps; step += 1) {
    const { look, xpaths, names } = await lookAt(task, driven);
    last = look;
    const { data } = await task.ask({ ...prompts.step(history, look, task.maxSteps - step + 1), schema });
    const said = stepOf(data);
    const begun = performance.now();
    const action = describeStep(said, names.get(said.element), task.mode);
    const url = look.url;
    if (said.action === 'done') {
      history.push({ step, url, action, notes: said.notes });
      why = 'You said that you are done.';
    } else {
      const outcome = await perform(said, action, { task, driven, xpaths });
      history.push({ step, url, action, notes: said.notes, ...outcome });
      last = undefined;
    }
    const { error } = history.at(-1)!;
    const ms = Math.round(performance.now() - begun);
    task.note?.({ step, action: cutText(action, 500), url, ms, ...(error !== undefined && { error }) });
    if (said.action === 'done') break;
    if (performance.now() > late) {
      why = 'Your time is up.';
      break;
    }
  }
  last ??= (await lookAt(task, driven)).look;
  const { data } = await task.ask<T>({ ...prompts.answer(history, last, why), schema: task.schema });
  return { data, steps: history.length, visited: [...visited] };
}

interface Seen {
  look: PageView;
  xpaths: Record<string, string>;
  /** Names of elements by number. */
  names: Map<string, string>;
}

async function lookAt(
  task: BrowserTask<unknown>,
  { agentPage, page, wasRefused }: AgentSession,
): Promise<Seen> {
  const url = page.url();
  const read = task.read ?? ((text: string) => text);
  const title = read(cutText(await page.title().catch(() => ''), 500), url);
  const look: PageView = { url, title };
  if (wasRefused()) return { look: { ...look, outline: UNREACHABLE }, xpaths: {}, names: new Map() };
  if (task.mode !== 'dom') {
    look.picture = await agentPage.screenshot({
      type: 'jpeg',
      quality: 70,
      scale: 'css',
      timeout: ACTION_MS,
    });
  }
  if (task.mode === 'cua') {
    // Only the picture goes to the model, but the page's text is still scanned for prompt injection.
    read(await page.evaluate(() => document.body?.innerText ?? '').catch(() => ''), url);
    return { look, xpaths: {}, names: new Map() };
  }
  const { formattedTree, xpathMap } = await agentPage.snapshot({ timeout: ACTION_MS, includeIframes: true });
  const cut = cutText(formattedTree, MAX_OUTLINE_CHARS);
  const isCut = cut.length < formattedTree.length;
  look.outline = read(cut, url) + (isCut ? '\n(The page goes on; read finds what is not shown here.)' : '');
  const lines = look.outline.matchAll(/^\s*\[([\w-]+)\] (.*)$/gm);
  const names = new Map(Array.from(lines, ([, id, name]) => [id!, cutText(name!, 100)]));
  return { look, xpaths: xpathMap, names };
}

interface ActionContext {
  task: BrowserTask<unknown>;
  driven: AgentSession;
  xpaths: Record<string, string>;
}

/** Performs an action. Its error is returned, for the model to see; only model failures and a closed page throw. */
async function perform(
  step: ModelStep,
  action: string,
  context: ActionContext,
): Promise<{ error?: string; found?: string }> {
  const { task, driven } = context;
  const { page } = driven;
  driven.takeBlockedUrl();
  const navigation = watchNavigation(page);
  try {
    const found = await act(step, action, context);
    if (step.action !== 'read') await settle(task, page, navigation.isNavigating);
    const away = driven.takeBlockedUrl();
    if (away) return { error: leadsAway(away) };
    if (driven.wasRefused()) return { error: UNREACHABLE };
    return typeof found === 'string' ? { found } : {};
  } catch (error) {
    const failure = driven.takeFailure();
    if (failure) throw failure;
    if (page.isClosed()) throw error;
    const away = driven.takeBlockedUrl();
    if (away) return { error: leadsAway(away) };
    return { error: cutText((error as Error).message.split('\n', 1)[0]!, 300) };
  } finally {
    navigation.end();
  }
}

const leadsAway = (url: string) =>
  `It leads away from the site, to ${cutText(url, 300)}, which is not opened.`;

async function act(step: ModelStep, action: string, { task, driven, xpaths }: ActionContext) {
  const { stagehand, agentPage, page, site } = driven;
  const { text } = step;
  const byElement = async (method: string, ...args: string[]) => {
    const xpath = xpaths[step.element];
    if (xpath === undefined)
      throw new Error(`The outline has no element ${step.element || '(none was named)'}.`);
    const done = await stagehand.act(
      { selector: `xpath=${xpath}`, description: action, method, arguments: args },
      { page: agentPage, timeout: ACTION_MS },
    );
    if (!done.data.success) throw new Error(done.data.message);
  };
  const isByCoordinates = task.mode === 'cua';

  switch (step.action) {
    case 'click':
      return isByCoordinates ? await agentPage.click(step.x, step.y) : await byElement('click');
    case 'hover':
      return isByCoordinates ? await agentPage.hover(step.x, step.y) : await byElement('hover');
    case 'type':
      return isByCoordinates ? await agentPage.type(text) : await byElement('fill', text);
    case 'select':
      return await byElement('selectOptionFromDropdown', text);
    case 'press':
      return step.element ? await byElement('press', text) : await agentPage.keyPress(text);
    case 'scroll': {
      const direction = /up/i.test(text) ? -1 : 1;
      return await page.evaluate(
        (share) => void scrollBy({ top: innerHeight * share, behavior: 'instant' }),
        direction * SCROLLED_SHARE,
      );
    }
    case 'goto': {
      const url = URL.parse(text, page.url());
      if (!url || !isWithinSite(url.href, site)) throw new Error('Only addresses of this site are opened.');
      if (driven.checkUrl(url.href)) throw new Error(UNREACHABLE);
      await page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: task.navigationTimeoutMs });
      return;
    }
    case 'back':
      await page.goBack({ waitUntil: 'domcontentloaded', timeout: task.navigationTimeoutMs });
      return;
    case 'wait':
      return await sleep(1_000, undefined, { signal: task.signal });
    case 'act': {
      const done = await stagehand.act(text || action, { page: agentPage, timeout: ACTION_MS * 4 });
      if (!done.data.success) throw new Error(done.data.message);
      return;
    }
    case 'read': {
      const { data } = await stagehand.extract(text || task.instructions, {
        page: agentPage,
        timeout: ACTION_MS * 8,
      });
      return cutText((task.read ?? String)(data.extraction, page.url()), 10_000);
    }
    default:
      return;
  }
}

/** Watches for navigations of the main frame until `end`. */
function watchNavigation(page: Page) {
  let requested: Request | undefined;
  const begin = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requested = request;
  };
  const finish = (what: Request | Frame) => {
    if (what === requested || what === page.mainFrame()) requested = undefined;
  };
  page.on('request', begin);
  page.on('framenavigated', finish);
  // The response may be empty, or a download.
  page.on('requestfinished', finish);
  page.on('requestfailed', finish);
  return {
    /** True while a requested document has not arrived. */
    isNavigating: () => requested !== undefined,
    end() {
      page.off('request', begin);
      page.off('framenavigated', finish);
      page.off('requestfinished', finish);
      page.off('requestfailed', finish);
    },
  };
}

async function settle(
  { waitUntil, navigationTimeoutMs }: BrowserTask<unknown>,
  page: Page,
  isNavigating: () => boolean,
) {
  // Effects of an action, such as a navigation, are queued behind the page's pending tasks.
  await Promise.race([
    page.evaluate(() => new Promise((done) => setTimeout(done))).catch(() => {}),
    sleep(SETTLE_MS),
  ]);
  await sleep(50);
  const end = performance.now() + navigationTimeoutMs;
  while (isNavigating() && performance.now() < end) await sleep(10);
  const ways = { domcontentloaded: 'domcontentloaded', load: 'load', networkidle2: 'networkidle' } as const;
  const timeout = Math.min(navigationTimeoutMs, SETTLE_MS);
  await page.waitForLoadState('domcontentloaded', { timeout: navigationTimeoutMs });
  await page.waitForLoadState(ways[waitUntil], { timeout }).catch(() => {});
}
