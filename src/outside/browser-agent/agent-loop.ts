import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as AgentPage, Stagehand } from '@browserbasehq/stagehand';
import type { Frame, Page, Request } from 'playwright-core';
import { cutText } from '../../lib/text/cut-text.ts';
import { type createAgentPrompt, type Done, inWords, type Look } from './agent-prompt.ts';
import { type Step, stepOf, stepSchema } from './agent-step.ts';
import type { BrowserTask, BrowserTaskResult } from './browser-agent.ts';
import { isOfSite } from './site.ts';

export interface Driven {
  stagehand: Stagehand;
  /** The same page for Stagehand and for Playwright. */
  agentPage: AgentPage;
  page: Page;
  /** Why an address may not be asked. */
  judgeUrl(url: string): unknown;
  /** What a question of Stagehand's own failed of, once. */
  takeFailure(): unknown;
  /** Addresses of the site, which the page does not leave. */
  site: readonly string[];
  /** Where the page was kept from going, once. */
  takeAway(): string | undefined;
  /** Whether the page that is open is the egress proxy's own answer. */
  wasRefused(): boolean;
}

type Prompts = ReturnType<typeof createAgentPrompt>;

/** Of an outline; what is beyond can be read for. */
const MAX_OUTLINE_CHARS = 60_000;
const ACTION_MS = 15_000;
/** How long a page may go on loading after an action. */
const SETTLE_MS = 5_000;
const SCROLLED_SHARE = 0.8;
/** Of the time; what is left is for the answer. */
const LATE_SHARE = 0.75;
const UNREACHABLE = 'The address could not be reached.';

/** Lets the model take one action after the other, and then answer. */
export async function runLoop<T>(
  task: BrowserTask<T>,
  driven: Driven,
  prompts: Prompts,
): Promise<BrowserTaskResult<T>> {
  const { page, site } = driven;
  const visited = new Set([page.url()]);
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && isOfSite(frame.url(), site)) visited.add(frame.url());
  });
  const history: Done[] = [];
  let last: Look | undefined;
  let why = 'Your actions are used up.';
  const schema = stepSchema(task.mode);
  const late = performance.now() + task.timeoutMs * LATE_SHARE;
  for (let step = 1; step <= task.maxSteps; step += 1) {
    const { look, xpaths, names } = await lookAt(task, driven);
    last = look;
    const { data } = await task.ask({ ...prompts.step(history, look, task.maxSteps - step + 1), schema });
    const said = stepOf(data);
    const begun = performance.now();
    const action = inWords(said, names.get(said.element), task.mode);
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
  look: Look;
  xpaths: Record<string, string>;
  /** What elements are called, by their numbers. */
  names: Map<string, string>;
}

async function lookAt(task: BrowserTask<unknown>, { agentPage, page, wasRefused }: Driven): Promise<Seen> {
  const url = page.url();
  const read = task.read ?? ((text: string) => text);
  const title = read(cutText(await page.title().catch(() => ''), 500), url);
  const look: Look = { url, title };
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
    // The picture alone goes to the model; its words are still to be looked through for what they try.
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

interface Around {
  task: BrowserTask<unknown>;
  driven: Driven;
  xpaths: Record<string, string>;
}

/** What failed is for the model to know; only a model's failure, or the end of the page, is thrown. */
async function perform(
  step: Step,
  action: string,
  around: Around,
): Promise<{ error?: string; found?: string }> {
  const { task, driven } = around;
  const { page } = driven;
  driven.takeAway();
  const navigation = watchNavigation(page);
  try {
    const found = await act(step, action, around);
    if (step.action !== 'read') await settle(task, page, navigation.isUnderWay);
    const away = driven.takeAway();
    if (away) return { error: leadsAway(away) };
    if (driven.wasRefused()) return { error: UNREACHABLE };
    return typeof found === 'string' ? { found } : {};
  } catch (error) {
    const failure = driven.takeFailure();
    if (failure) throw failure;
    if (page.isClosed()) throw error;
    const away = driven.takeAway();
    if (away) return { error: leadsAway(away) };
    return { error: cutText((error as Error).message.split('\n', 1)[0]!, 300) };
  } finally {
    navigation.end();
  }
}

const leadsAway = (url: string) =>
  `It leads away from the site, to ${cutText(url, 300)}, which is not opened.`;

async function act(step: Step, action: string, { task, driven, xpaths }: Around) {
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
  const isByPlace = task.mode === 'cua';

  switch (step.action) {
    case 'click':
      return isByPlace ? await agentPage.click(step.x, step.y) : await byElement('click');
    case 'hover':
      return isByPlace ? await agentPage.hover(step.x, step.y) : await byElement('hover');
    case 'type':
      return isByPlace ? await agentPage.type(text) : await byElement('fill', text);
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
      if (!url || !isOfSite(url.href, site)) throw new Error('Only addresses of this site are opened.');
      if (driven.judgeUrl(url.href)) throw new Error(UNREACHABLE);
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

/** Notes whether the page asks for another document, from now on until `end`. */
function watchNavigation(page: Page) {
  let asked: Request | undefined;
  const begin = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked = request;
  };
  const finish = (what: Request | Frame) => {
    if (what === asked || what === page.mainFrame()) asked = undefined;
  };
  page.on('request', begin);
  page.on('framenavigated', finish);
  // An answer may also be empty, or a download.
  page.on('requestfinished', finish);
  page.on('requestfailed', finish);
  return {
    /** Whether a document was asked for that is not there yet. */
    isUnderWay: () => asked !== undefined,
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
  isUnderWay: () => boolean,
) {
  // What an action sets off, a navigation above all, comes behind what the page itself has still to do.
  await Promise.race([
    page.evaluate(() => new Promise((done) => setTimeout(done))).catch(() => {}),
    sleep(SETTLE_MS),
  ]);
  await sleep(50);
  const end = performance.now() + navigationTimeoutMs;
  while (isUnderWay() && performance.now() < end) await sleep(10);
  const ways = { domcontentloaded: 'domcontentloaded', load: 'load', networkidle2: 'networkidle' } as const;
  const timeout = Math.min(navigationTimeoutMs, SETTLE_MS);
  await page.waitForLoadState('domcontentloaded', { timeout: navigationTimeoutMs });
  await page.waitForLoadState(ways[waitUntil], { timeout }).catch(() => {});
}
