import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints } from '../../api/index.ts';
import { ownVersion } from '../../lib/version.ts';
import { BlobFailure } from '../../outside/storage/blob-store.ts';
import { createServer } from './server.ts';

async function listening(
  settings: { workspaceRate?: number } = {},
  readiness = async () => ({ faults: ['Something is amiss.'], warnings: ['Something is slow.'] }),
) {
  const { deps, authenticator } = await testApp();
  const app = await createServer({
    deps: { ...deps, settings: { ...deps.settings, ...settings } },
    endpoints,
    files,
    probes: { readiness },
    authenticator,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

test('malformed HTTP is answered in the envelope', async () => {
  const { app, port } = await listening();
  try {
    for (const text of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(80_000)}\r\n\r\n`,
      'POST /v2/agents/get HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\ncontent-length: 0\r\n\r\n',
      'POST /v2/agents/get HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ]) {
      const answer = await raw(port, text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nx-request-id: /s);
      expect(bodyOf(answer).error.status).toBe('INVALID_ARGUMENT');
    }
    const connected = await raw(port, 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(bodyOf(connected).error.status).toBe('NOT_FOUND');
    const hostless = await raw(port, 'GET /none HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(bodyOf(hostless).error.status).toBe('NOT_FOUND');
  } finally {
    await app.close();
  }
});

test.each([
  ['content-length: 1000000', ''],
  ['transfer-encoding: chunked', '1\r\nx\r\n'],
])('a request to an unknown path is answered without waiting for its body (%s)', async (header, sent) => {
  const { app, port } = await listening();
  try {
    const answer = await raw(
      port,
      `POST /v2/none HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n${sent}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*\r\nconnection: close\r\n/s);
    expect(bodyOf(answer).error).toMatchObject({
      status: 'NOT_FOUND',
      message: 'There is no operation POST /v2/none.',
    });
    const two = 'GET /none HTTP/1.1\r\nhost: x\r\n';
    const both = await raw(port, `${two}\r\n${two}connection: close\r\n\r\n`);
    expect(both.match(/NOT_FOUND/g)).toHaveLength(2);
  } finally {
    await app.close();
  }
});

test('a preflight with a body is refused', async () => {
  const { app, port } = await listening();
  try {
    const answer = await raw(
      port,
      'OPTIONS /v2/commentannotations/get HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 1000000\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(answer).error.message).toBe('The request body is too large.');
  } finally {
    await app.close();
  }
});

test('a valid request id is returned, and an invalid one is replaced', async () => {
  const valid = await send('/v2/none', {}, { 'x-request-id': 'abc-1' });
  const bad = await send('/v2/none', {}, { 'x-request-id': 'a b\u0001' });
  expect(valid.headers['x-request-id']).toBe('abc-1');
  expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('workspace creation is limited per address, with a retry-after', async () => {
  const { app } = await listening({ workspaceRate: 3 });
  const ip = `203.0.113.${1 + Math.floor(Math.random() * 250)}`;
  const create = (index: number) =>
    app.inject({
      method: 'POST',
      url: '/v2/workspace/create',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      payload: { data: { ownerEmail: `rate${index}.${Date.now()}@example.com` } },
    });
  try {
    const replies = await Promise.all([1, 2, 3, 4, 5].map(create));
    const refused = replies.filter((reply) => reply.statusCode === 429);
    // The window may end between two requests.
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(refused[0]!.body).error.status).toBe('RESOURCE_EXHAUSTED');
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]!.headers['ratelimit-remaining']).toBe('0');
  } finally {
    await app.close();
  }
});

test('a request in flight when the server closes is answered', async () => {
  const { app, port } = await listening();
  const w = await newWorkspace();
  const body = JSON.stringify({ data: { name: 'late' } });
  const head = `POST /v2/agents/create HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${Object.entries(
    w.keyHeaders,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  await once(app.server, 'request');
  const closed = app.close();
  const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  socket.write(body);
  expect(await answer).toContain('Agent created successfully');
  socket.end();
  await closed;
});

test('an unreachable blob store is reported as such, and not as a fault of the database', async () => {
  expectLog(/Files cannot be read.*ECONNREFUSED/);
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const app = await createServer({
    deps,
    endpoints: [],
    files: [
      {
        path: '/v2/blobs',
        by: 'apiKey',
        summary: 'Fails.',
        description: 'Fails.',
        async handle() {
          throw new BlobFailure(
            'Files cannot be read (REDPEN_BLOB_URL): ECONNREFUSED.',
            'ECONNREFUSED',
            undefined,
          );
        },
      },
    ],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  const answer = await app.inject({ url: '/v2/blobs/file_1', headers: w.keyHeaders });
  expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([
    503,
    { error: { status: 'UNAVAILABLE', message: 'Files cannot be read (REDPEN_BLOB_URL): ECONNREFUSED.' } },
  ]);
  await app.close();
});

test('ready reports faults, and health reports the version', async () => {
  const { app } = await listening();
  try {
    const ready = await app.inject({ method: 'GET', url: '/ready' });
    expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([
      503,
      { status: 'not ready', faults: ['Something is amiss.'], warnings: [], checks: [] },
    ]);
    const health = await app.inject({ method: 'GET', url: '/health' });
    // Monitors send HEAD requests, too.
    expect((await app.inject({ method: 'HEAD', url: '/health' })).statusCode).toBe(200);
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', ...ownVersion() }]);
    expect((await app.inject({ method: 'GET', url: '/metrics' })).body).toContain('redpen_requests_waiting');
  } finally {
    await app.close();
  }
});

test('while the database hangs or is gone, live answers', async () => {
  expectLog(/request cannot be served.*ECONNREFUSED/);
  const { app } = await listening();
  const { database } = await testApp();
  const asked = vi.spyOn(database.db, 'selectNoFrom').mockImplementation(() => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  });
  try {
    const live = await app.inject({ method: 'GET', url: '/live' });
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }]);
    expect((await app.inject({ method: 'HEAD', url: '/live' })).statusCode).toBe(200);
    expect((await app.inject({ method: 'GET', url: '/health' })).statusCode).toBe(503);
  } finally {
    asked.mockRestore();
    await app.close();
  }
});

test('with a degraded part, ready is degraded with status 200', async () => {
  const checks = [{ name: 'files', status: 'failed' as const, message: 'Files cannot be kept.', since: 1 }];
  const readiness = { faults: [], warnings: ['Files cannot be kept.'], isDegraded: true, checks };
  const { app } = await listening({}, async () => readiness);
  try {
    const ready = await app.inject({ method: 'GET', url: '/ready' });
    expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([
      200,
      { status: 'degraded', faults: [], warnings: ['Files cannot be kept.'], checks },
    ]);
  } finally {
    await app.close();
  }
});

test('ready checks once per request', async () => {
  let checks = 0;
  const { app } = await listening({}, async () => {
    checks += 1;
    return { faults: [], warnings: ['Something is slow.'] };
  });
  try {
    const ready = await app.inject({ method: 'GET', url: '/ready' });
    expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([
      200,
      { status: 'ready', faults: [], warnings: ['Something is slow.'], checks: [] },
    ]);
    expect(checks).toBe(1);
  } finally {
    await app.close();
  }
});
