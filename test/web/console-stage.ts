import type { BrowserContext, Page } from 'playwright-core';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { accountOfEmail } from '../../src/store/identity/accounts.ts';
import { addMember } from '../../src/store/identity/members.ts';
import { consoleLink, createOperatorLink } from '../../src/store/identity/sign-in-links.ts';
import { until } from '../run/until.ts';
import { ownTenant, type Tenant } from '../service/own-tenant.ts';
import type { Service } from '../service/service.ts';
import { newTestContext } from '../service/test-browser.ts';
import { sharedService } from '../service/worker-service.ts';
import { holdUndo } from './hold-undo.ts';

/** The built console of a workspace on a real service, in a real browser. */
export interface ConsoleStage {
  service: Service;
  tenant: Tenant;
  /**
   * Opens a page of the API key in a window of its own, for the running test or the file. The windows share one session of
   * Ada, who owns the workspace, so a test that signs out gives a link of its own.
   */
  open(path?: string, options?: WindowOptions): Promise<ConsoleWindow>;
  /** A link that signs Ada in, or another person, who becomes an owner, too. */
  link(email?: string): Promise<string>;
  /** Waits until a review has ended. */
  endOf(reviewId: string): Promise<void>;
}

interface WindowOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** A link to sign in with, in place of the shared session. */
  link?: string;
}

export interface ConsoleWindow {
  page: Page;
  apiKeyId: string;
  /** Calls an operation as the page does, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  call(path: string, data: object): Promise<any>;
  goTo(path: string): Promise<void>;
}

/** The database is needed for links only. */
export async function createConsoleStage(given?: Service & { databaseUrl?: string }): Promise<ConsoleStage> {
  const service = given ?? (await sharedService());
  const tenant = await ownTenant(() => service, { name: 'Ada' });
  const { apiKeyId, workspaceId } = tenant;
  const session = await signIn(service, tenant);
  await waitForBuild(service.url);
  return {
    service,
    tenant,
    async open(path = '/', { link, colorScheme = 'light', width = 1280 } = {}) {
      const context = await newTestContext({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width, height: 900 },
        onlyHosts: [new URL(service.url).host],
      });
      await holdUndo(context);
      if (link === undefined) await context.addCookies([session.cookie]);
      else await enter(context, link);
      const page = await context.newPage();
      const goTo = async (to: string) => {
        const place = `${service.url}/console/k/${encodeURIComponent(apiKeyId)}`;
        await page.goto(`${place}${to === '/' ? '' : to}`);
      };
      await goTo(path);
      return { page, apiKeyId, call: (name, data) => callAs(page, apiKeyId, name, data), goTo };
    },
    async endOf(reviewId) {
      let seen: string | undefined;
      for (let hasEnded = false; !hasEnded; ) {
        const { review } = await tenant.must('/v2/reviews/get', { reviewId, seen, waitMs: 20_000 });
        hasEnded = review.status === 'ended';
        seen = review.revision;
      }
    },
    async link(email) {
      const { databaseUrl } = service as { databaseUrl?: string };
      const database = await openDatabase({ databaseUrl: databaseUrl!, onError: () => {} });
      try {
        const code = await database.db.transaction().execute(async (tx) => {
          if (email === undefined) return await createOperatorLink(tx, { accountId: session.accountId });
          const { accountId } = await accountOfEmail(tx, email);
          await addMember(tx, { workspaceId, accountId, role: 'owner' });
          return await createOperatorLink(tx, { accountId });
        });
        return consoleLink(service.url, code);
      } finally {
        await database.close();
      }
    },
  };
}

/** Signs in the owner of a workspace with its credentials. */
async function signIn({ url }: Service, { workspaceId, authToken }: Tenant) {
  const response = await fetch(`${url}/v2/session/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { workspaceId, workspaceAuthToken: authToken } }),
  });
  const { result } = (await response.json()) as { result: { data: { account: { accountId: string } } } };
  const [, name, value] = /^(\w+)=([^;]+)/.exec(response.headers.get('set-cookie')!)!;
  const cookie = { url, name: name!, value: value!, httpOnly: true, sameSite: 'Strict' as const };
  return { cookie, accountId: result.data.account.accountId };
}

/** Signs in with a link. */
async function enter(context: BrowserContext, link: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(link);
  if (link.includes('#code=rpi_')) await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(/\/console\/k\//);
  await page.close();
}

/** Sends a request from the page, with the session of its cookie. */
async function callAs(page: Page, apiKeyId: string, path: string, data: object): Promise<unknown> {
  const answer = await page.evaluate(
    async ([to, key, body]) => {
      const headers = { 'content-type': 'application/json', 'x-redpen-key': key };
      const response = await fetch(to, { method: 'POST', headers, body });
      return (await response.json()) as { result?: { data: unknown }; error?: { message: string } };
    },
    [path, apiKeyId, JSON.stringify({ data })] as const,
  );
  if (!answer.result) throw new Error(`${path}: ${answer.error?.message}`);
  return answer.result.data;
}

/** The first start after a change builds the console beside the service. */
async function waitForBuild(url: string): Promise<void> {
  const isBuilt = async () => (await (await fetch(`${url}/console/`)).text()).includes('id="root"');
  await until(isBuilt, 'the console to be built');
}
