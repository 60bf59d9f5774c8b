import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownTenant } from '../service/own-tenant.ts';
import { sharedService } from '../service/worker-service.ts';
import { repository } from './built-package.ts';

const PROGRAM = join(repository, 'examples/first-program.ts');

test('the first program has at most 30 lines of code, and ends by itself each time it is run', async () => {
  const lines = readFileSync(PROGRAM, 'utf8').split('\n').filter(Boolean);
  expect(lines.length).toBeLessThanOrEqual(30);
  const service = await sharedService();
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
