import type { Page } from 'playwright-core';
import { matchesAny } from '../../lib/glob.ts';
import type { LoadedPage } from '../../outside/browser/browser.ts';
import type { PageAuth } from '../../shapes/agents/page-auth.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { isLoginRedirect, namesLogin } from '../links/link-fault.ts';

/** The site's login page, as the steps that were taken show it. */
export interface KnownLogin {
  /** Addresses on which a password was filled in, without query. */
  pages: ReadonlySet<string>;
  /** Selectors of the password fields that were filled in. */
  passwords: readonly string[];
}

const NEXT_DOCUMENT_MS = 15_000;

/** Tells pages that ask to sign in from those that were asked for. */
export interface LoginPages {
  /** True if a request for one address ends at the login page instead, or is refused for lack of a session. */
  leadsToLogin(asked: string, final: string, status: number | undefined): boolean;
  /** The same for a page in a browser, whose content may be the login form. */
  isShown(asked: string, loaded: Pick<LoadedPage, 'url' | 'status' | 'page'>): Promise<boolean>;
}

export const NO_LOGIN_KNOWN: KnownLogin = { pages: new Set(), passwords: [] };

export const placeOf = (address: string): string => {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname.replace(/\/$/, '') : address;
};

/**
 * The login page to which an address leads without credentials. It is logged, since the review of the login page passes
 * without a word on the page that was meant.
 */
export function loginPageFor(
  asked: string,
  landed: string | undefined,
  log: (line: LogLine) => void,
): string | undefined {
  if (landed === undefined || !isRedirectToLogin(asked, landed)) return undefined;
  const loginPage = placeOf(landed);
  log({
    level: 'warn',
    message: `${asked} leads to the login page ${loginPage}, which is reviewed in its place.`,
    data: { url: asked, loginPage },
  });
  return loginPage;
}

export function createLoginPages(rule: PageAuth['signedOut'], known: () => KnownLogin): LoginPages {
  return rule ? byRule(rule) : byDefault(known);
}

function byRule({ url, selector, status: refused }: NonNullable<PageAuth['signedOut']>): LoginPages {
  const matches = (address: string) => url !== undefined && matchesAny([url], address);
  const leadsToLogin: LoginPages['leadsToLogin'] = (asked, final, status) =>
    (refused !== undefined && status === refused) || (matches(final) && !matches(asked));
  return {
    leadsToLogin,
    isShown: async (asked, { url: final, status, page }) =>
      leadsToLogin(asked, final, status) ||
      (selector !== undefined && (await page.locator(selector).first().isVisible())),
  };
}

/**
 * HTTP 401, a redirect to the login page, or the login form itself. HTTP 403 is no sign: a site also refuses single pages
 * to users who are signed in. A page that is a login page by its own address is reviewed like any other.
 */
function byDefault(known: () => KnownLogin): LoginPages {
  const isLogin = (address: string) => {
    const url = URL.parse(address);
    return url !== null && (known().pages.has(placeOf(address)) || namesLogin(url));
  };
  const leadsToLogin: LoginPages['leadsToLogin'] = (asked, final, status) =>
    status === 401 ||
    (!isLogin(asked) && (known().pages.has(placeOf(final)) || isRedirectToLogin(asked, final)));
  return {
    leadsToLogin,
    async isShown(asked, { url, status, page }) {
      if (leadsToLogin(asked, url, status)) return true;
      if (isLogin(asked)) return false;
      const { passwords } = known();
      const look = () => (passwords.length > 0 ? areShown(page, passwords) : page.evaluate(hasLoginForm));
      try {
        return await look();
      } catch {
        // The page has left its document; if the next one cannot be read either, the use of the page reports it.
        await page.waitForLoadState('load', { timeout: NEXT_DOCUMENT_MS }).catch(() => {});
        return leadsToLogin(asked, page.url(), undefined) || (await look().catch(() => false));
      }
    },
  };
}

const isRedirectToLogin = (asked: string, final: string): boolean =>
  URL.canParse(asked) && URL.canParse(final) && isLoginRedirect(asked, final);

/** True if all of these password fields are visible. */
export async function areShown(page: Page, selectors: readonly string[]): Promise<boolean> {
  for (const selector of selectors) {
    const field = page.locator(selector).first();
    if (!(await field.isVisible())) return false;
    if ((await field.getAttribute('type'))?.toLowerCase() !== 'password') return false;
  }
  return true;
}

/** Runs in the page. A login form has one field for a name and one for a password, unlike forms for new accounts. */
function hasLoginForm(): boolean {
  const isVisible = (field: Element) => field.checkVisibility() && field.getBoundingClientRect().width > 0;
  const [password, ...others] = [
    ...document.querySelectorAll<HTMLInputElement>('input[type=password]'),
  ].filter(isVisible);
  if (!password || others.length > 0 || password.autocomplete === 'new-password') return false;
  const names = [...(password.form ?? document).querySelectorAll('input')].filter(
    (field) => isVisible(field) && ['text', 'email', 'tel'].includes(field.type),
  );
  const [name] = names;
  if (!name || names.length > 1) return false;
  return /user|mail|login|name|account|benutzer|kennung/i.test(
    `${name.name} ${name.id} ${name.autocomplete} ${name.type}`,
  );
}
