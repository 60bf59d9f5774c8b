import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints, routes } from '../../api/index.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { createServer } from '../server/server.ts';
import { addDocs } from './site.ts';

let app: Awaited<ReturnType<typeof createServer>>;
let browser: Browser;

beforeAll(async () => {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  app = await createServer({ deps, endpoints, files, probes, authenticator });
  await addDocs(app, routes);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const guard = createGuard({ allowHosts: ['127.0.0.1'] });
  browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Opens a page of the site; fails if it logs an error, such as a breach of its content security policy. */
async function onPage(path: string, use: (page: Page) => Promise<void>): Promise<void> {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/${path}`;
  const view = { deviceType: 'desktop', waitUntil: 'load' } as const;
  await browser.withPage(url, view, { timeoutMs: 590_000 }, async ({ page }) => {
    page.setDefaultTimeout(500_000);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await use(page);
    expect(errors).toEqual([]);
  });
}

test('the address of the reference may end with a slash', async () => {
  const { statusCode, headers } = await app.inject('/docs/');
  expect([statusCode, headers.location]).toEqual([308, '../docs']);
});

test('a search finds sections of guides and operations, and leads to them', async () => {
  await onPage('docs/guides/memory', async (page) => {
    await page.fill('#search', 'rejecting suggestions');
    const first = page.locator('#results li').first();
    await first.getByText('Review agents › Accepting and rejecting suggestions').waitFor();
    await page.fill('#search', 'execution/run');
    await first.getByText('/v2/agents/execution/run').waitFor();
    await page.press('#search', 'Enter');
    await page.waitForURL('**/docs#tag/agents/agentsExecutionRun');
    await page.locator('#reference [id$="tag/agents/agentsExecutionRun"]').waitFor();
  });
});

/** Operations that need more than the data of the examples. */
const NEED_MORE: Readonly<Record<string, RegExp>> = {
  '/v2/agents/prompt/enhance': /No model provider is configured/,
  '/v2/agents/prompt/refine': /No model provider is configured/,
  '/v2/agents/prompt/validate': /No model provider is configured/,
  '/v2/memory/ask': /No model provider is configured/,
  '/v2/agents/findings/get': /Finding not found/,
  '/v2/agents/findings/picture': /Finding not found/,
  '/v2/crdt/add': /already exists/,
  '/v2/members/update': /Member not found/,
  '/v2/memory/alerts/action': /Alert does not exist/,
  '/v2/memory/knowledge/update': /still being processed/,
  '/v2/users/data/delete/status': /job does not exist/,
};
/** These take the session of the console alone, which the page does not have. */
const OF_CONSOLE = /^\/v2\/(session|account|tokens|oauth)\//;
/** These would undo what the others need. */
const REMOVES = '/(delete|remove|reset|dismiss|remove-agents|cancel)$|/workspace/create$';

test('every example can be sent once the page has created the data of the examples', async () => {
  const workspace = await newWorkspace();
  await onPage('docs', async (page) => {
    const credentials = {
      workspaceId: workspace.workspaceId,
      workspaceAuthToken: workspace.authToken,
    };
    await page.evaluate(
      (text) => sessionStorage.setItem('redpen-try-it', text),
      JSON.stringify({ credentials, ids: {} }),
    );
    await page.reload();
    await page.fill('[name=apiKey]', workspace.apiKeyId);
    await page.fill('[name=authToken]', workspace.token);
    await page.click('#try-it button');
    await page.getByText('The examples can be sent').waitFor();
    const [sent, refused] = await page.evaluate(async (removes) => {
      const { paths } = await (await fetch('openapi.json')).json();
      const failed: [string, string][] = [];
      let count = 0;
      for (const path of Object.keys(paths)) {
        const example = paths[path].post?.requestBody.content['application/json'].example;
        if (example === undefined || new RegExp(removes).test(path)) continue;
        // A call that waits for a change need not wait here.
        const body = JSON.stringify(example).replace('"waitMs":20000', '"waitMs":0');
        const headers = { 'content-type': 'application/json' };
        const { error } = await (await fetch(path.slice(1), { method: 'POST', headers, body })).json();
        count += 1;
        if (error) failed.push([path, error.message]);
      }
      return [count, failed] as const;
    }, REMOVES);
    expect(sent).toBeGreaterThan(150);
    const unexpected = refused.filter(([path, message]) => !NEED_MORE[path]?.test(message));
    expect(unexpected.filter(([path]) => !OF_CONSOLE.test(path))).toEqual([]);
  });
});

test('the page keeps the tokens that take the place of those it has', async () => {
  const { workspaceId, authToken, apiKeyId } = await newWorkspace();
  await onPage('docs', async (page) => {
    const credentials = { workspaceId, workspaceAuthToken: authToken };
    await page.evaluate(
      (text) => sessionStorage.setItem('redpen-try-it', text),
      JSON.stringify({ credentials, ids: {} }),
    );
    await page.reload();
    const reset = (path: string, data: object) =>
      page.evaluate(
        async ([to, body]) => {
          const headers = { 'content-type': 'application/json' };
          const { result } = await (await fetch(to, { method: 'POST', headers, body })).json();
          return result.data.newAuthToken;
        },
        [path, JSON.stringify({ data })] as const,
      );
    const { token } = await reset('v2/workspace/authtoken/reset', { apiKey: apiKeyId });
    const next = await reset('v2/workspace/token/reset', {});
    await page.waitForFunction(
      (wanted) => {
        const { authToken: ofKey, workspaceAuthToken: ofWorkspace } = JSON.parse(
          sessionStorage.getItem('redpen-try-it')!,
        ).credentials;
        return ofKey === wanted.token && ofWorkspace === wanted.next;
      },
      { token, next },
    );
    expect(await page.locator('[name=authToken]').inputValue()).toBe(token);
  });
});

test('a request of the reference carries the credentials of the page', async () => {
  const workspace = await newWorkspace();
  await onPage('docs#tag/organizations/organizationsGet', async (page) => {
    await page.fill('[name=apiKey]', workspace.apiKeyId);
    await page.fill('[name=authToken]', workspace.token);
    const operation = page.locator('#reference [id$="tag/organizations/organizationsGet"]').first();
    await operation.getByText('Test Request').first().click();
    const answered = page.waitForResponse('**/v2/organizations/get');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
  });
});
