import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onTestFinished } from 'vitest';
import { eventsOf } from '../../src/api/events.ts';
import { files } from '../../src/api/files.ts';
import { endpoints } from '../../src/api/index.ts';
import type { Settings } from '../../src/deps.ts';
import { createServer } from '../../src/http/server/server.ts';
import { addStreamRoute } from '../../src/http/server/stream-routes.ts';
import { addMcp, type McpPath } from '../../src/mcp/http/mcp-routes.ts';
import { createFeed } from '../../src/realtime/feed/feed.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

/** Protocol generations of clients. */
export type ClientEra = '2026-07-28' | '2025-11-25';

export interface McpStage {
  url: string;
  app: FastifyInstance;
  /** Connects the official client with credentials. */
  connect(
    headers: Record<string, string>,
    options?: { path?: McpPath; era?: ClientEra; name?: string },
  ): Promise<Client>;
}

interface StageOptions {
  /** Headers that every request gets, for clients that cannot send their own. */
  headers?: Record<string, string>;
  settings?: Partial<Settings>;
  /** Sees each request, also those that a tool sends within the process. */
  onRequest?(request: FastifyRequest): void;
}

/** The service on a port of its own, for clients of the Model Context Protocol. */
export async function mcpStage({
  headers: added,
  settings,
  onRequest,
}: StageOptions = {}): Promise<McpStage> {
  const { deps: shared } = await testApp();
  const deps = { ...shared, settings: { ...shared.settings, ...settings } };
  const app = await createServer({
    deps,
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator: deps.authenticator,
    askToCloseMs: 0,
  });
  app.addHook('onRequest', async (request) => {
    if (added && request.url.startsWith('/mcp')) Object.assign(request.headers, added);
    onRequest?.(request);
  });
  const feed = createFeed(deps);
  addStreamRoute(app, deps, eventsOf(feed));
  addMcp(app, deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await Promise.all([feed.stop(), app.close()]);
  });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    app,
    async connect(headers, { path = '/mcp', era = '2026-07-28', name = 'Test assistant' } = {}) {
      const client = new Client(
        { name, version: '1.0.0' },
        { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
      );
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }),
      );
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** The headers of an API key. */
export const asKey = ({ apiKeyId, token }: TestWorkspace): Record<string, string> => ({
  'x-service-api-key': apiKeyId,
  'x-service-auth-token': token,
});

/** The text of a result. */
export const textIn = ({ content }: { content?: unknown }): string =>
  (content as { type: string; text?: string }[])
    .flatMap(({ type, text }) => (type === 'text' ? [text] : []))
    .join('\n');

/** What a model that obeys reads as instructions: everything outside of data blocks. */
export const outsideData = (text: string): string =>
  text.replaceAll(/=== BEGIN DATA [^\n]*? ([0-9a-f]{24}) ===\n[\s\S]*?\n=== END DATA [^\n]*? \1 ===/g, '');
