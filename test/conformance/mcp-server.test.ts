import type { AddressInfo } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createConsoleGuard } from '../../src/http/request/session-credentials.ts';
import { sendWebResponse, webRequestOf } from '../../src/mcp/http/web-bridge.ts';
import { asKey, mcpStage } from '../mcp/mcp-stage.ts';
import { newWorkspace, testApp } from '../service/harness.ts';
import { fixtureServer } from './mcp-fixtures.ts';
import { runSuite } from './mcp-suite.ts';

/** Scenarios that need tools, resources or prompts of the suite. */
const WITH_FIXTURES = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/** Scenarios that any server can run. */
const OF_ANY = [
  'server-initialize',
  'ping',
  'tools-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const NEEDS_REQUESTS =
  'The server would have to ask its client, for which a server without sessions has no way back.';
const NEEDS_SESSION = 'The state would have to last from one request to the next.';
const NO_LOGGING =
  'The log is for the operator of the service, and the server does not say that clients get it.';
const NOT_RUN: Record<string, string> = {
  'tools-call-sampling': NEEDS_REQUESTS,
  'tools-call-elicitation': NEEDS_REQUESTS,
  'elicitation-sep1034-defaults': NEEDS_REQUESTS,
  'elicitation-sep1330-enums': NEEDS_REQUESTS,
  'logging-set-level': NO_LOGGING,
  'tools-call-with-logging': NO_LOGGING,
  'resources-subscribe': `${NEEDS_SESSION} Clients of 2026-07-28 subscribe with subscriptions/listen.`,
  'resources-unsubscribe': NEEDS_SESSION,
  'server-sse-polling': `${NEEDS_SESSION} Streams cannot be resumed.`,
  'completion-complete': 'The server completes no arguments, and does not say that it does.',
};

/** The fixtures behind the bridge and the guard of the service. */
async function fixtureUrl(): Promise<string> {
  const { deps } = await testApp();
  // The test service trusts a proxy at this address, which would answer for each host.
  const guard = createConsoleGuard({ ...deps, settings: { ...deps.settings, trustProxy: [] } });
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: async (request) => guard.admit(request),
    handler: async (request, reply) =>
      await sendWebResponse(reply, await createMcpHandler(fixtureServer).fetch(webRequestOf(request, reply))),
  });
  app.setErrorHandler((_, __, reply) => reply.code(403).send());
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`;
}

async function expectPassed(url: string, scenarios: readonly string[]): Promise<void> {
  for (const scenario of scenarios) {
    const { code, output } = await runSuite('server', '--url', url, '--scenario', scenario);
    expect(output, scenario).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect({ scenario, code, output }).toMatchObject({ code: 0 });
  }
}

test('the bridge and the guard pass the public conformance suite', async () => {
  await expectPassed(await fixtureUrl(), [...OF_ANY, ...WITH_FIXTURES]);
});

test('the tools of the service pass what needs no fixtures of the suite', async () => {
  const w = await newWorkspace();
  // The suite cannot send credentials.
  const { url } = await mcpStage({ headers: asKey(w), settings: { trustProxy: [] } });
  await expectPassed(`${url}/mcp`, OF_ANY);
});

test('each scenario for servers is run, or left out for a reason', async () => {
  const { output } = await runSuite('list', '--server');
  const names = [...output.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name!);
  expect(names.toSorted()).toEqual([...OF_ANY, ...WITH_FIXTURES, ...Object.keys(NOT_RUN)].sort());
});
