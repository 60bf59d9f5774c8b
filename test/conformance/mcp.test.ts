import { expect, test } from 'vitest';
import { runSuite } from './mcp-suite.ts';

/**
 * The scenarios for a client whose caller supplies its tokens. The scenarios under `auth/` are left out, since they need
 * a client that fetches tokens from authorization servers that a server names, and this client never contacts those.
 * `elicitation-sep1034-client-defaults` needs a client that asks a person, a capability that this client does not have.
 * The suite covers the versions with sessions, 2025-06-18 and 2025-11-25; the tests next to the client cover the version
 * without, with the server of the official SDK.
 */
const SCENARIOS = ['initialize', 'tools_call', 'sse-retry'];

test('the client passes the public conformance suite of the protocol', {
  timeout: 300_000,
  retry: 1,
}, async () => {
  const [listed, ...outcomes] = await Promise.all([
    runSuite('list'),
    ...SCENARIOS.map((scenario) =>
      runSuite('client', '--command', 'node test/conformance/mcp-client.ts', '--scenario', scenario),
    ),
  ]);
  for (const { code, output } of outcomes) {
    expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect({ code, output }).toMatchObject({ code: 0 });
  }
  const [, clients = ''] = listed!.output.split('Client scenarios');
  const names = [...clients.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name!);
  expect(names.filter((name) => !name.startsWith('auth/')).sort()).toEqual(
    [...SCENARIOS, 'elicitation-sep1034-client-defaults'].sort(),
  );
});
