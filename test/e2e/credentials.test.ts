import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { until } from '../until.ts';
import type { Any } from './own-tenant.ts';
import { type Service, startService } from './service.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

const CLI = join(import.meta.dirname, '../../src/cli.ts');

interface Exit {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (file: string, args: string[], env: Record<string, string>): Promise<Exit> =>
  new Promise((resolve) => {
    execFile(file, args, { env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

/** Variables of a shell after `eval` of the output of a command. */
async function evaluated(args: string, env: Record<string, string>): Promise<Record<string, string>> {
  const script = `eval "$("${process.execPath}" "${CLI}" ${args})" && env`;
  const { code, stdout, stderr } = await run('sh', ['-c', script], env);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return Object.fromEntries(
    stdout
      .split('\n')
      .filter((line) => /^REDPEN_(URL|WORKSPACE|API|AUTH|USER)/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
}

const headersOf = (env: Record<string, string>) => ({
  'x-service-api-key': env.REDPEN_API_KEY!,
  'x-service-auth-token': env.REDPEN_AUTH_TOKEN!,
});

test('one command gives a shell its credentials before, during and after a run of the service', {
  timeout: 900_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-credentials-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const env = { REDPEN_DATA_DIR: join(folder, 'data'), REDPEN_SIGNUP: 'closed' };
  const cli = (...args: string[]) => run(process.execPath, [CLI, ...args], env);

  const unknown = await cli('key', 'list');
  expect(unknown).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no data directory'),
  });
  const before = await evaluated('workspace create ada@acme.dev', env);
  expect(before.REDPEN_URL).toBe('http://127.0.0.1:8080');

  const service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
  const during = await evaluated('workspace create ada@acme.dev', env);
  // The service chose its port, so the URL does not follow from its settings.
  expect(during).toEqual({ ...before, REDPEN_URL: service.url });
  const accepts = async (variables: Record<string, string>): Promise<boolean> =>
    (await service.post('/v2/workspace/apikeyconfig/get', {}, headersOf(variables))).status === 200;
  expect(await accepts(during)).toBe(true);
  expect((await service.post('/v2/workspace/create', { ownerEmail: 'eve@acme.dev' })).status).toBe(403);

  const reset = await evaluated(`key reset ${during.REDPEN_API_KEY}`, env);
  expect(await accepts(reset)).toBe(true);
  await until(async () => !(await accepts(during)), 'the service to refuse the earlier token');

  await service.kill('SIGTERM');
  const after = await evaluated('workspace create ada@acme.dev', env);
  expect(after).toEqual({ ...before, REDPEN_AUTH_TOKEN: reset.REDPEN_AUTH_TOKEN });
  for (const args of [
    ['workspace', 'create'],
    ['key', 'token', 'none'],
    ['workspace', 'create', 'x'],
  ]) {
    expect(await cli(...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/\S.+\n$/),
    });
  }
});

test('agents and webhooks reach a host that is allowed while the service runs, without a restart', {
  timeout: 900_000,
}, async () => {
  const site = await fakeSite({
    '/': '<html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1><a href="/gone">Sale</a></body></html>',
    '/hook': 'thanks',
  });
  cleanUp.push(() => site.close());
  const folder = mkdtempSync(join(tmpdir(), 'redpen-hosts-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const env = { REDPEN_DATA_DIR: join(folder, 'data'), REDPEN_LOG_LEVEL: 'info' };
  const variables = await evaluated('workspace create ada@acme.dev', env);
  expect(await run(process.execPath, [CLI, 'allow-host', 'staging.internal'], env)).toMatchObject({
    code: 0,
    stdout: 'Allowed staging.internal: in effect once the service starts.\n',
  });
  const service: Service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
  const post = async (path: string, data: object) =>
    (await service.post(path, data, headersOf(variables))) as { status: number; body: Any };
  await post('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const endpoint = () => post('/v2/workspace/advancedwebhook/endpoints/create', { url: `${site.url}/hook` });
  const review = () => post('/v2/agents/execution/run', { agentId: 'broken-links', url: `${site.url}/` });

  const { host } = new URL(site.url);
  for (const refused of [await endpoint(), await review()]) {
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain(`redpen allow-host ${host}`);
  }
  const allowed = await run(process.execPath, [CLI, 'allow-host', host], env);
  expect(allowed).toEqual({
    code: 0,
    stdout: expect.stringContaining(`Allowed ${host}: in effect`),
    stderr: '',
  });
  let created = await endpoint();
  await until(async () => {
    if (created.status !== 200) created = await endpoint();
    return created.status === 200;
  }, 'the service to accept the host');
  const { id: endpointId } = created.body.result.data;
  const tested = await post('/v2/workspace/advancedwebhook/endpoints/test', { endpointId });
  expect(tested.body.result.data).toMatchObject({ delivered: true });
  expect(site.requests).toContain('POST /hook');
  const { executionId } = (await review()).body.result.data;
  await until(async () => {
    const { body } = await post('/v2/agents/execution/get', { executionId });
    return body.result.data.execution.status !== 'running';
  }, 'the review to end');
  expect(site.requests).toContain('GET /');
  expect(site.requests).toEqual(expect.arrayContaining([expect.stringMatching(/(HEAD|GET) \/gone/)]));
  expect(service.output()).toContain('allowed internal hosts changed');
});
