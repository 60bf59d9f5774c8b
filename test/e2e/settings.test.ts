import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { ownDatabase } from './own-database.ts';
import { startService } from './service.ts';

test('the public address and the sandbox of the browser are settings of the service', async () => {
  const cleanUp: (() => Promise<unknown> | unknown)[] = [];
  const { env } = await ownDatabase(cleanUp);
  try {
    const service = await startService({
      ...env,
      REDPEN_LOG_LEVEL: 'info',
      REDPEN_PUBLIC_URL: 'https://redpen.example/api',
      REDPEN_BROWSER_SANDBOX: 'off',
    });
    cleanUp.push(() => service.kill('SIGTERM'));
    await until(() => service.output().includes('without its sandbox, since REDPEN_BROWSER_SANDBOX is off'));
    const answer = await fetch(`${service.url}/openapi.json`);
    const document = (await answer.json()) as { servers: { url: string }[] };
    expect(service.output()).toContain(
      'anyone who reaches this service can create workspaces; set REDPEN_SIGNUP',
    );
    expect(document.servers[0]?.url).toBe('https://redpen.example/api');
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
});
