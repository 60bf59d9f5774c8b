import type { Page } from 'playwright-core';
import { matchesAny } from '../../lib/glob.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { type Browser, PageFailure, type View } from '../../outside/browser/browser.ts';
import type { SignIn } from '../../outside/net/sign-in.ts';
import type { SignInStep } from '../../shapes/agents/page-auth.ts';
import { RunFault } from '../core/run-error.ts';
import { areShown, type KnownLogin, placeOf } from './login-page.ts';
import type { BrowserState } from './make-sign-in.ts';

const TOTAL_MS = 90_000;
const STEP_MS = 20_000;
const POLL_MS = 100;
const QUIET_MS = 3_000;
/** Time for which the login form stays after a new document, so that it is no page that only passes by. */
const REFUSED_MS = 1_500;
const view: View = { deviceType: 'desktop', waitUntil: 'load' };

/** A step of the sign-in failed; the message names the step and the page, and no secret. */
export class SignInFailure extends RunFault {
  override name = 'SignInFailure';
  /** Picture of the page, with its fields masked. */
  readonly picture: Uint8Array | undefined;

  constructor(
    message: string,
    { picture, cause }: { picture?: Uint8Array | undefined; cause?: unknown } = {},
  ) {
    super('SIGN_IN_FAILED', message, { cause });
    this.picture = picture;
  }
}

export interface TakenSteps {
  state: BrowserState;
  login: KnownLogin;
  /** Address of the page after the last step. */
  landing: string;
}

interface StepsInput {
  browser: Browser;
  steps: readonly SignInStep[];
  seedUrl: string;
  /** Credentials that the pages of the sign-in itself need, such as basic authentication. */
  signIn: SignIn;
  fill(text: string): string;
  redact(text: string): string;
  signal: AbortSignal;
}

/** Takes the steps in a fresh context that only opens pages of the allowed origins, and returns what it then stores. */
export async function takeSteps(input: StepsInput): Promise<TakenSteps> {
  const { browser, steps, seedUrl, signIn, signal } = input;
  const [first] = steps;
  const start = addressOf(first?.goto ?? seedUrl, seedUrl);
  const seen: Seen = {};
  const at = (index: number) => `step ${index + 1} (${describe(steps[index]!)})`;
  let current = 0;
  const mayNavigate = (url: string) => {
    const may = signIn.origins.has(URL.parse(url)?.origin ?? '');
    if (!may) seen.blocked = url;
    return may;
  };
  if (!mayNavigate(start)) throw failed(at(0), blockedReason(seen), undefined, input);
  const options = { signal, timeoutMs: TOTAL_MS, signIn, mayNavigate };
  try {
    return await browser.withPage(start, view, options, async ({ page, status }) => {
      try {
        if (status >= 400) throw new Refused(`the page answered with HTTP ${status}`);
        const pages = new Set<string>();
        const form = watchForm(page);
        for (const [index, step] of steps.entries()) {
          current = index;
          if (index === 0 && step.goto !== undefined) continue;
          const password = await form.orRefused(take(page, step, input));
          if (password !== undefined) {
            pages.add(placeOf(page.url()));
            form.filled(password);
          }
        }
        const login = { pages, passwords: form.passwords };
        await form.orRefused(leave(page, login));
        return { state: await stateOf(page), login, landing: page.url() };
      } catch (error) {
        if (error instanceof PageFailure || signal.aborted) throw error;
        throw failed(at(current), reasonOf(error, seen), await lookAt(page), input);
      }
    });
  } catch (error) {
    if (error instanceof SignInFailure || signal.aborted) throw error;
    const reason = seen.blocked ? blockedReason(seen) : lowerFirst((error as Error).message);
    throw failed(at(current), reason, undefined, input, error);
  }
}

interface Seen {
  /** Address of another origin that a page wanted to open. */
  blocked?: string;
}

/** A reason to give up that is known in words. */
class Refused extends Error {}

/** Takes a step. Returns the selector of a password field that it filled in. */
async function take(
  page: Page,
  step: SignInStep,
  { seedUrl, fill }: StepsInput,
): Promise<string | undefined> {
  const timeout = STEP_MS;
  if (step.goto !== undefined) {
    const answer = await page.goto(addressOf(step.goto, seedUrl), { timeout, waitUntil: 'load' });
    if (answer && answer.status() >= 400) throw new Refused(`the page answered with HTTP ${answer.status()}`);
  } else if (step.fill !== undefined) {
    const field = page.locator(step.fill).first();
    await field.fill(fill(step.value ?? ''), { timeout });
    return (await field.getAttribute('type'))?.toLowerCase() === 'password' ? step.fill : undefined;
  } else if (step.click !== undefined) {
    await page.locator(step.click).first().click({ timeout });
  } else if (step.waitFor !== undefined) {
    const { waitFor } = step;
    if (isUrlGlob(waitFor))
      await page.waitForURL((url) => matchesAny([waitFor], url.href), { timeout, waitUntil: 'load' });
    else await page.locator(waitFor).first().waitFor({ timeout });
  }
  return undefined;
}

const isUrlGlob = (text: string): boolean => /^(\/|\*|https?:)/.test(text);

/** Watches for the login form that a site shows again if it refuses a password. */
function watchForm(page: Page) {
  const passwords: string[] = [];
  let hasNewDocument = false;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) hasNewDocument = true;
  });
  const isBack = async () => hasNewDocument && passwords.length > 0 && (await areShown(page, passwords));
  return {
    passwords,
    filled(selector: string) {
      passwords.push(selector);
      hasNewDocument = false;
    },
    /** The work, or a failure as soon as the form has been back for a while. */
    async orRefused<T>(work: Promise<T>): Promise<T> {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      const watch = async (): Promise<T> => {
        let since = performance.now();
        while (!isOver) {
          if (!(await isBack().catch(() => false))) since = performance.now();
          if (performance.now() - since > REFUSED_MS)
            throw new Refused('the site shows the login form again');
          await Promise.race([over, new Promise((done) => setTimeout(done, POLL_MS))]);
        }
        return await over;
      };
      return await Promise.race([over, watch()]);
    },
  };
}

/** Waits until the login form is gone, since a click returns before the page that it leads to has loaded. */
async function leave(page: Page, { passwords }: KnownLogin): Promise<void> {
  const until = performance.now() + STEP_MS;
  const isFormShown = () => areShown(page, passwords).catch(() => true);
  while (passwords.length > 0 && (await isFormShown())) {
    if (performance.now() > until) throw new Refused('the page still shows the login form');
    await page.waitForTimeout(POLL_MS);
  }
  await page.waitForLoadState('load', { timeout: STEP_MS });
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {});
}

/** Cookies and storage after the steps. Some databases cannot be saved; the storage beside them often suffices. */
async function stateOf(page: Page): Promise<BrowserState> {
  const context = page.context();
  return await context.storageState({ indexedDB: true }).catch(() => context.storageState());
}

const addressOf = (goto: string, seedUrl: string): string => new URL(goto, seedUrl).href;

const describe = ({ goto, fill, click, waitFor }: SignInStep): string =>
  goto !== undefined
    ? `goto ${withoutQuery(goto)}`
    : fill !== undefined
      ? `fill ${fill}`
      : click !== undefined
        ? `click ${click}`
        : `waitFor ${waitFor}`;

const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '');

function reasonOf(error: unknown, seen: Seen): string {
  if (seen.blocked) return blockedReason(seen);
  if (error instanceof Refused) return error.message;
  const { name, message } = error as Error;
  if (name === 'TimeoutError') return 'it took too long; nothing on the page matches, or it cannot be used';
  // The first line alone, since the log that follows repeats the values of fields.
  return lowerFirst(message.split('\n', 1)[0]!.replace(/^[\w.]+: /, ''));
}

const blockedReason = ({ blocked = '' }: Seen): string =>
  `it leads to ${URL.parse(blocked)?.origin ?? 'another site'}, which is none of the origins of auth`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

interface Look {
  title: string;
  url: string;
  picture?: Uint8Array | undefined;
}

/** The page on which a step failed. Fields are masked, since they hold what the steps have filled in. */
async function lookAt(page: Page): Promise<Look> {
  const title = await page.title().catch(() => '');
  const mask = [page.locator('input, textarea, select')];
  const picture = await page.screenshot({ mask, timeout: 10_000 }).catch(() => undefined);
  return { title, url: page.url(), picture };
}

function failed(
  step: string,
  reason: string,
  look: Look | undefined,
  { redact }: Pick<StepsInput, 'redact'>,
  cause?: unknown,
): SignInFailure {
  const where = look
    ? // A cut could leave a part of a secret, which would not be recognized.
      ` The page was ${look.title ? `“${shorten(redact(look.title), 100)}” at ` : ''}${withoutQuery(look.url)}.`
    : '';
  const message = redact(`Signing in failed at ${step}: ${reason}.${where}`);
  return new SignInFailure(message, { picture: look?.picture, cause });
}
