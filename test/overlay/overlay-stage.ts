import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { atEnd } from '../run/at-end.ts';
import { until } from '../run/until.ts';
import { type LiveTenant, newLiveTenant } from '../service/live-tenant.ts';
import type { Service } from '../service/service.ts';
import { newTestContext } from '../service/test-browser.ts';
import { sharedService } from '../service/worker-service.ts';

export const PLACE = { organizationId: 'acme', documentId: 'home' };

/** Pages of another origin than the service, with the overlay on them. */
export interface OverlayStage {
  service: Service;
  tenant: LiveTenant;
  /** Addresses of the pages of the host, by their path. */
  pageAt(path: string): string;
  /** A browser profile of a user, for the running test. */
  newProfile(options?: BrowserContextOptions): Promise<BrowserContext>;
  open(context: BrowserContext, path: string): Promise<Page>;
}

export interface HostPage {
  html: string;
  policy?: string | undefined;
}

/**
 * Pages of the host may change while it runs. They get `SERVICE` replaced by the address of the service, or by `address`, if
 * they reach it over another one; a POST to /token-<user> answers with a token.
 */
export async function createOverlayStage(
  pages: Readonly<Record<string, HostPage>>,
  { service: given, address }: { service?: Service; address?: string } = {},
): Promise<OverlayStage> {
  const service = given ?? (await sharedService());
  const tenant = await newLiveTenant(() => service);
  const url = address ?? service.url;
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
  atEnd(() => host.close().closeAllConnections());
  const { port } = host.address() as AddressInfo;
  const isBuilt = async () => (await fetch(`${service.url}/client/overlay.js`)).status === 200;
  await until(isBuilt, 'the overlay to be built');
  const pageAt = (path: string) => `http://127.0.0.1:${port}${path}`;
  return {
    service,
    tenant,
    pageAt,
    async newProfile(options) {
      const context = await newTestContext({ viewport: { width: 1280, height: 800 }, ...options });
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
      await page.goto(pageAt(path));
      return page;
    },
  };
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
