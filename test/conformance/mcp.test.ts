import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * The scenarios for a client whose caller supplies its tokens. The scenarios under `auth/` are left out, since they need
 * a client that fetches tokens from authorization servers that a server names, and this client never contacts those.
 * `elicitation-sep1034-client-defaults` needs a client that asks a person, a capability that this client does not have.
 * The suite covers the versions with sessions, 2025-06-18 and 2025-11-25; the tests next to the client cover the version
 * without, with the server of the official SDK.
 */
const SCENARIOS = ['initialize', 'tools_call', 'sse-retry'];

interface Outcome {
  code: number;
  output: string;
}

/** Runs the suite in a process, which starts the client as another one. */
const run = (...options: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const node = ['--import', join(import.meta.dirname, 'loopback-only.ts'), suite, ...options];
    // The shell that starts the client splits its command at spaces, so the command is `node`, found through PATH.
    const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    execFile(process.execPath, node, { cwd: root, env: environment }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${stdout}\n${stderr}` }),
    );
  });

test('the client passes the public conformance suite of the protocol', {
  timeout: 300_000,
  retry: 1,
}, async () => {
  const [listed, ...outcomes] = await Promise.all([
    run('list'),
    ...SCENARIOS.map((scenario) =>
      run('client', '--command', 'node test/conformance/mcp-client.ts', '--scenario', scenario),
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
