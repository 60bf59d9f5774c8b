import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { atEnd } from '../run/at-end.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { until } from '../run/until.ts';
import type { Any } from '../service/own-tenant.ts';
import { startService } from '../service/service.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');

interface Exit {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (file: string, args: string[], env: Record<string, string>): Promise<Exit> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env } };
    execFile(file, args, options, (error, stdout, stderr) => {
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

test('one command gives a shell its credentials before, during and after a run of the service, which reaches a host that is allowed meanwhile', {
  timeout: 900_000,
}, async () => {
  const site = await fakeSite({
    '/': '<html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1><a href="/gone">Sale</a></body></html>',
    '/hook': 'thanks',
  });
  atEnd(() => site.close());
  const folder = mkdtempSync(join(tmpdir(), 'redpen-credentials-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    REDPEN_DATA_DIR: join(folder, 'data'),
    REDPEN_SIGNUP: 'closed',
    REDPEN_LOG_LEVEL: 'info',
  };
  const cli = (...args: string[]) => run(process.execPath, [CLI, ...args], env);

  expect(await cli('key', 'list')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/no data directory[\s\S]*\n$/),
  });
  const before = await evaluated('workspace create ada@acme.dev', env);
  expect(before.REDPEN_URL).toBe('http://127.0.0.1:8080');
  expect(await cli('allow-host', 'staging.internal')).toMatchObject({
    code: 0,
    stdout: 'Allowed staging.internal: in effect once the service starts.\n',
  });

  const service = await startService(env);
  const during = await evaluated('workspace create ada@acme.dev', env);
  // The service chose its port, so the URL does not follow from its settings.
  expect(during).toEqual({ ...before, REDPEN_URL: service.url });
  const accepts = async (variables: Record<string, string>): Promise<boolean> =>
    (await service.post('/v2/workspace/apikeyconfig/get', {}, headersOf(variables))).status === 200;
  expect(await accepts(during)).toBe(true);
  expect((await service.post('/v2/workspace/create', { ownerEmail: 'eve@acme.dev' })).status).toBe(403);

  const post = async (path: string, data: object) =>
    (await service.post(path, data, headersOf(during))) as { status: number; body: Any };
  await post('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const endpoint = () => post('/v2/workspace/advancedwebhook/endpoints/create', { url: `${site.url}/hook` });
  const review = () => post('/v2/agents/execution/run', { agentId: 'broken-links', url: `${site.url}/` });
  const { host } = new URL(site.url);
  for (const refused of [await endpoint(), await review()]) {
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain(`redpen allow-host ${host}`);
  }
  expect(await cli('allow-host', host)).toEqual({
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

  const reset = await evaluated(`key reset ${during.REDPEN_API_KEY}`, env);
  expect(await accepts(reset)).toBe(true);
  await until(async () => !(await accepts(during)), 'the service to refuse the earlier token');
  await service.kill('SIGTERM');
  const after = await evaluated('workspace create ada@acme.dev', env);
  expect(after).toEqual({ ...before, REDPEN_AUTH_TOKEN: reset.REDPEN_AUTH_TOKEN });
});
