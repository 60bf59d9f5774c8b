import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ownDatabase } from '../e2e/own-database.ts';
import { ownTenant } from '../e2e/own-tenant.ts';
import { startService } from '../e2e/service.ts';
import { repository } from './built-package.ts';

const PROGRAM = join(repository, 'examples/first-program.ts');

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

test('the first program has at most 30 lines of code, and ends by itself each time it is run', async () => {
  const lines = readFileSync(PROGRAM, 'utf8').split('\n').filter(Boolean);
  expect(lines.length).toBeLessThanOrEqual(30);
  const { env } = await ownDatabase(cleanUp);
  const service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
  const { apiKeyId, headers } = await ownTenant(() => service);
  const variables = {
    REDPEN_URL: service.url,
    REDPEN_API_KEY: apiKeyId,
    REDPEN_AUTH_TOKEN: headers['x-service-auth-token'],
  };
  const run = () =>
    promisify(execFile)(process.execPath, [PROGRAM], { env: { ...process.env, ...variables } });
  const sentence = 'A shorter headline. ';
  for (const text of [sentence, sentence.repeat(2)]) {
    expect(await run()).toEqual({ stdout: `Bob sees: Shorter, please.\nBob reads: ${text}\n`, stderr: '' });
  }
});
