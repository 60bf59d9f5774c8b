import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { type LiveTenant, newLiveTenant } from '../e2e/live-tenant.ts';
import { ownDatabase } from '../e2e/own-database.ts';
import { type Service, startService } from '../e2e/service.ts';
import { PATIENCE_MS } from '../patience.ts';
import { until } from '../until.ts';

export const PLACE = { organizationId: 'acme', documentId: 'home' };

/** A page of another origin than the service, with the overlay on it. */
export interface OverlayStage {
  service: Service;
  tenant: LiveTenant;
  /** Addresses of the pages of the host, by their path. */
  pageAt(path: string): string;
  /** A browser profile of a user. */
  newProfile(options?: BrowserContextOptions): Promise<BrowserContext>;
  open(context: BrowserContext, path: string): Promise<OverlayPage>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface OverlayPage {
  page: Page;
  /** Everything that must not happen: errors, and reports of the policy. */
  problems: string[];
}

export interface HostPage {
  html: string;
  policy?: string | undefined;
}

type CleanUp = (() => Promise<unknown> | unknown)[];

/** Programs other than tests name their database. Pages of the host may change while it runs. They get `SERVICE` replaced by the address of the service; a POST to /token-<user> answers with a token. */
export async function createOverlayStage(
  cleanUp: CleanUp,
  pages: Readonly<Record<string, HostPage>>,
  database?: Record<string, string>,
): Promise<OverlayStage> {
  const env = database ?? (await ownDatabase(cleanUp)).env;
  let service = await startService({ ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1' });
  cleanUp.push(() => service.kill('SIGKILL'));
  const tenant = await newLiveTenant(() => service);
  const { url } = service;
  const host = createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!;
    const user = /^\/token-(\w+)$/.exec(path)?.[1];
    const found = pages[path];
    if (user && request.method === 'POST') response.end(await tenant.token(user));
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else if (found) {
      if (found.policy)
        response.setHeader('content-security-policy', found.policy.replaceAll('SERVICE', url));
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(found.html.replaceAll('SERVICE', url));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  cleanUp.push(() => host.close().closeAllConnections());
  const { port } = host.address() as AddressInfo;
  const browser = await startBrowser();
  cleanUp.push(() => browser.close());
  const isBuilt = async () => (await fetch(`${url}/client/overlay.js`)).status === 200;
  await until(isBuilt, 'the overlay to be built');
  const pageAt = (path: string) => `http://127.0.0.1:${port}${path}`;
  return {
    get service() {
      return service;
    },
    tenant,
    pageAt,
    async newProfile(options) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      // What is closed to pages must be open to tests.
      await context.addInitScript(() => {
        const { attachShadow } = Element.prototype;
        Element.prototype.attachShadow = function (this: Element, options) {
          return attachShadow.call(this, { ...options, mode: 'open' });
        };
      });
      return context;
    },
    async open(context, path) {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (/error|warning/.test(message.type())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(pageAt(path));
      return { page, problems };
    },
    async kill() {
      await service.kill('SIGKILL');
    },
    async restart() {
      await service.kill('SIGKILL');
      service = await startService({ ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1', PORT: new URL(url).port });
    },
  };
}

async function startBrowser(): Promise<Browser> {
  const { path, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
  return await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env } as never,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

/** A page that loads the overlay as its documentation says. */
export const hostPage = (body: string, attributes = ''): string => `<!doctype html>
<html lang="en"><head><title>Saltmarsh Kayaks</title>
<script type="module" src="SERVICE/client/overlay.js" data-organization="acme" data-document="home" ${attributes}></script>
</head><body>${body}</body></html>`;

/** A thread of a person on a page, at a place. */
export const threadAt = (pageUrl: string, annotationId: string, fields: object, text = annotationId) => ({
  annotationId,
  pageInfo: { url: pageUrl },
  ...fields,
  commentData: [{ commentText: text, from: { userId: 'bob', name: 'Bob', email: 'bob@example.com' } }],
});

/** A finding of an agent on a page. */
export const findingAt = (pageUrl: string, annotationId: string, reason: object, target?: object) => ({
  annotationId,
  type: 'suggestion',
  pageInfo: { url: pageUrl },
  ...(target && { targetElement: target }),
  commentData: [
    {
      commentText: annotationId,
      from: { userId: 'checker', name: 'Checker' },
      agent: {
        agentSource: 'external',
        agentName: 'Checker',
        url: pageUrl,
        reason: { title: annotationId, description: annotationId, severity: 'high', ...reason },
      },
    },
  ],
});
