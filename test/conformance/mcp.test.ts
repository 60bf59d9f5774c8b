import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * Those that tell of a client which is given its tokens by whoever calls it. Left out are the scenarios under
 * `auth/`, which want a client that gets tokens from the servers that a server names: this one asks no such server
 * anything. `elicitation-sep1034-client-defaults` wants one with a person to ask, which this one declines to have.
 * The suite knows the generations with sessions, 2025-06-18 and 2025-11-25; the one without is tried on the
 * protocol's own server beside the client.
 */
const SCENARIOS = ['initialize', 'tools_call', 'sse-retry'];

interface Outcome {
  code: number;
  said: string;
}

/** Where the suite keeps a process for its servers, and starts the client as another. */
const run = (...options: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const node = ['--import', join(import.meta.dirname, 'loopback-only.ts'), suite, ...options];
    // The shell that starts the client splits its command at spaces.
    const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    execFile(process.execPath, node, { cwd: root, env: environment }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, said: `${stdout}\n${stderr}` }),
    );
  });

test('the public suite of the protocol finds nothing wrong with the client', {
  timeout: 60_000,
  retry: 1,
}, async () => {
  const [listed, ...outcomes] = await Promise.all([
    run('list'),
    ...SCENARIOS.map((scenario) =>
      run('client', '--command', 'node test/conformance/mcp-client.ts', '--scenario', scenario),
    ),
  ]);
  for (const { code, said } of outcomes) {
    expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect({ code, said }).toMatchObject({ code: 0 });
  }
  const [, clients = ''] = listed!.said.split('Client scenarios');
  const names = [...clients.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name!);
  expect(names.filter((name) => !name.startsWith('auth/')).sort()).toEqual(
    [...SCENARIOS, 'elicitation-sep1034-client-defaults'].sort(),
  );
});
