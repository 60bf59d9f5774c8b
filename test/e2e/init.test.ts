import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newDatabase } from '../database/new-database.ts';
import { atEnd } from '../run/at-end.ts';
import { isThorough } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { startService } from '../service/service.ts';

const REDPEN_MASTER_KEY = randomBytes(32).toString('base64');

/** A database, and functions to start processes on it and to count its rows. */
async function onOneDatabase(options: { empty?: boolean } = {}) {
  const { url: databaseUrl, drop } = await newDatabase(options);
  atEnd(drop);
  const start = (env: Record<string, string>) =>
    startService({
      DATABASE_URL: databaseUrl,
      REDPEN_MASTER_KEY,
      REDPEN_ROLES: 'api',
      REDPEN_LOG_LEVEL: 'info',
      ...env,
    });
  const count = async (table: string): Promise<number> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from ${table}`);
    await client.end();
    return rows[0].count as number;
  };
  return { start, count };
}

test('processes that start together on an empty database create one workspace with the key of the settings', {
  timeout: 900_000,
}, async () => {
  const { start, count } = await onOneDatabase({ empty: true });
  const env = {
    REDPEN_SIGNUP: 'closed',
    REDPEN_INIT_EMAIL: 'ops@acme.dev',
    REDPEN_INIT_WORKSPACE: 'Acme',
    REDPEN_INIT_API_KEY: 'key_of_ci_0001',
    REDPEN_INIT_AUTH_TOKEN: randomBytes(32).toString('hex'),
  };
  const services = await Promise.all([start(env), start(env)]);
  const status = async (url: string, token: string) =>
    (
      await fetch(`${url}/v2/workspace/apikeyconfig/get`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-api-key': env.REDPEN_INIT_API_KEY,
          'x-service-auth-token': token,
        },
        body: '{"data":{}}',
      })
    ).status;
  for (const { url } of services) expect(await status(url, env.REDPEN_INIT_AUTH_TOKEN)).toBe(200);
  expect([await count('workspaces'), await count('api_keys'), await count('api_key_tokens')]).toEqual([
    1, 1, 1,
  ]);

  const next = randomBytes(32).toString('hex');
  if (isThorough) {
    const later = await start({ ...env, REDPEN_INIT_AUTH_TOKEN: next });
    services.push(later);
    expect(await status(later.url, next)).toBe(200);
    for (const { url } of services) {
      await until(
        async () => (await status(url, env.REDPEN_INIT_AUTH_TOKEN)) === 401,
        'the earlier token to become invalid',
      );
    }
    expect(await count('api_key_tokens')).toBe(1);
    expect(later.output()).toContain('the earlier token is no longer valid');
  }
  const logged = services.map((service) => service.output()).join();
  expect(logged.match(/created the workspace of REDPEN_INIT_EMAIL/g)).toHaveLength(1);
  for (const secret of [env.REDPEN_INIT_AUTH_TOKEN, next]) expect(logged).not.toContain(secret);
});

test.runIf(isThorough)(
  'with REDPEN_SIGNUP=first, two processes together create one workspace over HTTP',
  {
    timeout: 900_000,
  },
  async () => {
    const { start, count } = await onOneDatabase();
    const services = await Promise.all([1, 2].map(() => start({ REDPEN_SIGNUP: 'first' })));
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        services[index % 2]!.post('/v2/workspace/create', { ownerEmail: `ada${index}@acme.dev` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(403)]);
    expect(await count('workspaces')).toBe(1);
  },
);
