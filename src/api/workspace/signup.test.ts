import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { testApp } from '../../../test/service/harness.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { createServer } from '../../http/server/server.ts';
import { randomId } from '../../lib/ids.ts';
import { listWorkspaces } from '../../store/platform/workspaces.ts';
import { endpoints } from '../index.ts';

/** Starts a service with these settings, on a database without workspaces. */
async function serve(settings: { signup: 'first' | 'closed'; workspaceRate?: number }) {
  const { deps, authenticator } = await testApp();
  const { url, drop } = await newDatabase();
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const database = await openDatabase({ databaseUrl: url, onError });
  const app = await createServer({
    deps: { ...deps, database, db: database.db, settings: { ...deps.settings, ...settings } },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  onTestFinished(async () => {
    await app.close();
    await database.close();
    await drop();
  });
  const create = async (
    ownerEmail: string,
    { headers = {}, more = {} }: { headers?: Record<string, string>; more?: object } = {},
  ) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/v2/workspace/create',
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ data: { ownerEmail, ...more } }),
    });
    return { status: statusCode, body: JSON.parse(body) };
  };
  return { create, listed: () => listWorkspaces(database.db, undefined) };
}

test('with signup closed no workspace is created, and the refusal explains how the operator creates one', async () => {
  const { create, listed } = await serve({ signup: 'closed' });
  for (const email of ['ada@acme.dev', 'no email', 'x@mailinator.com']) {
    expect(await create(email)).toEqual({
      status: 403,
      body: {
        error: {
          status: 'PERMISSION_DENIED',
          message:
            'This service creates no workspaces over HTTP: the operator makes one with `redpen workspace create EMAIL`.',
        },
      },
    });
  }
  expect(await listed()).toEqual([]);
});

test('requests that are refused because signup is closed count towards the rate of an address', async () => {
  const { create } = await serve({ signup: 'closed', workspaceRate: 2 });
  const headers = { 'x-forwarded-for': '203.0.113.77' };
  const statuses = [];
  // The window may end once in between.
  for (let sent = 0; sent < 6; sent++) statuses.push((await create('ada@acme.dev', { headers })).status);
  expect(statuses.slice(0, 2)).toEqual([403, 403]);
  expect(statuses).toContain(429);
});

test('with signup for the first, one of many concurrent requests creates a workspace', async () => {
  const { create, listed } = await serve({ signup: 'first' });
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => create(`ada${index}@acme.dev`)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = replies.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) {
    expect([status, body.error]).toEqual([
      403,
      {
        status: 'PERMISSION_DENIED',
        message:
          'This service creates its first workspace over HTTP, and no further ones: the operator makes one with `redpen workspace create EMAIL`.',
      },
    ]);
  }
  expect(await listed()).toHaveLength(1);
});

test('the first creation can be repeated with its idempotency key', async () => {
  const { create } = await serve({ signup: 'first' });
  const headers = { 'idempotency-key': randomId() };
  const created = await create('ada@acme.dev', { headers });
  expect(created.status).toBe(200);
  const again = await create('ada@acme.dev', { headers });
  expect(again.body.result.data.id).toBe(created.body.result.data.id);
  // A further workspace of the same owner is refused, too.
  expect(await create('ada@acme.dev', { more: { workspaceName: 'another' } })).toMatchObject({ status: 403 });
});
