import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, test } from 'vitest';
import type { Outcome, runContract } from '../../compat/contract.ts';
import { expectLog } from '../run/log-watch.ts';
import { newTestContext } from '../service/test-browser.ts';
import { compile } from './built-package.ts';
import { bundleContract } from './contract-bundle.ts';
import { type ContractStage, expectContract, newContractStage } from './contract-stage.ts';
import { oddServer } from './odd-server.ts';
import { relay } from './shaky-proxy.ts';

let contract: ContractStage;

beforeAll(async () => {
  contract = await newContractStage();
});

test('the contract compiles against the built package', async () => {
  const lib = 'es2023,dom,dom.iterable,dom.asynciterable';
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'];
  const files = ['in-process.ts', 'in-worker.ts', 'in-page.ts'];
  await compile(
    ['--noEmit', '--target', 'es2022', '--lib', lib, ...strict, ...modules, ...files],
    contract.folder,
  );
});

test('the contract holds in Node 24', async () => {
  const { stage, proxy } = await contract.forRuntime('node24');
  const env = { ...process.env, REDPEN_STAGE: JSON.stringify(stage) };
  const { stdout } = await promisify(execFile)(process.execPath, [join(contract.folder, 'in-process.ts')], {
    env,
    // A program that hangs fails with what it has written.
    timeout: 300_000,
  });
  expectContract(JSON.parse(stdout) as Outcome[], proxy);
});

test('the contract holds in a page', async () => {
  const { stage, proxy } = await contract.forRuntime('page');
  const files = await bundleContract(contract.folder, 'in-page.ts');
  const backendUrl = await oddServer(async (request, response) => {
    const path = request.url!.slice(1);
    if (/^(v2\/|metrics$)/.test(path)) return await relay(request, response, stage.url);
    const code = files.get(path);
    if (code !== undefined) response.setHeader('content-type', 'text/javascript').end(code);
    else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  // The proxy loses answers, and the contract provokes errors.
  expectLog(/Failed to load resource/);
  const page = await (await newTestContext()).newPage();
  await page.goto(backendUrl);
  await page.waitForFunction(() => 'runContract' in globalThis);
  const outcomes = await page.evaluate(
    (given) => (globalThis as unknown as { runContract: typeof runContract }).runContract(given),
    { ...stage, backendUrl },
  );
  expectContract(outcomes, proxy);
});

const PAGE = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/entry.js"></script>';
