import { tmpdir } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { addMember } from '../../../test/people/members.ts';
import { expectLog, testLog as log } from '../../../test/run/log-watch.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints } from '../../api/index.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { createServer } from '../../http/server/server.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { SERVICE_CHAIN } from '../../store/audit/record-audit.ts';
import {
  countAllStored,
  countStored,
  countWorkspaceStored,
  listStored,
  workspaceStored,
} from '../../store/platform/stored-bytes.ts';
import { collectMetrics } from '../collect-metrics.ts';
import { printUsage } from '../commands/workspace-commands.ts';
import { recordForService } from './run-operation.ts';
import { countingBlobs, createStorage } from './storage.ts';

const MB = 1_048_576;
const never = new AbortController().signal;

/** Starts a server on a fake disk, whose free space is `disk.freeMb`. */
async function serve({ limitBytes, blobs }: { limitBytes?: number; blobs?: Partial<BlobStore> } = {}) {
  const { deps, authenticator } = await testApp();
  const disk = { freeMb: 10_000 };
  const storage = await createStorage({
    db: deps.db,
    places: [{ place: 'data', name: 'the data folder', folder: tmpdir() }],
    reserveMb: 500,
    limitBytes,
    log,
    measure: async () => ({ freeBytes: disk.freeMb * MB, totalBytes: 1_000_000 * MB, device: 1 }),
  });
  const app = await createServer({
    metrics: collectMetrics({ ...deps, storage }),
    deps: {
      ...deps,
      storage,
      outside: { ...deps.outside, blobs: { ...deps.outside.blobs, ...blobs } },
      settings: { ...deps.settings, storedBytes: limitBytes },
    },
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: storage.faults(), warnings: [] }) },
    authenticator,
  });
  onTestFinished(async () => {
    await app.close();
    await storage.stop();
  });
  return { app, storage, disk, deps };
}

async function post(app: FastifyInstance, headers: Record<string, string>, path: string, data: object) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ data }),
  });
  return { status: statusCode, headers: answered, body: JSON.parse(body) };
}

const addDocument = (app: FastifyInstance, { keyHeaders }: TestWorkspace, documentId: string, text = 'x') =>
  post(app, keyHeaders, '/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId, metadata: { text } }],
  });

const ofDocument = (app: FastifyInstance, { keyHeaders }: TestWorkspace, what: 'get' | 'delete') =>
  post(app, keyHeaders, `/v2/organizations/documents/${what}`, {
    organizationId: 'acme',
    documentIds: ['one'],
  });

test('below the reserve writes are refused with the reason, and reads and deletions work', async () => {
  expectLog(/disk has less space left/);
  const { app, storage, disk } = await serve();
  const workspace = await newWorkspace();
  expect((await addDocument(app, workspace, 'one')).status).toBe(200);
  disk.freeMb = 312;
  await storage.look();
  const refused = await addDocument(app, workspace, 'two');
  const message =
    'The disk of the data folder has 312 MB left, less than the reserve of 500 MB; reads go on.';
  expect([refused.status, refused.body.error.status, refused.body.error.message]).toEqual([
    503,
    'UNAVAILABLE',
    message,
  ]);
  expect(refused.headers['retry-after']).toBe('10');
  const ready = await app.inject('/ready');
  expect([ready.statusCode, ready.json().faults]).toEqual([503, [message]]);
  const metrics = (await app.inject('/metrics')).body;
  expect(metrics).toContain('redpen_writes_refused_total{reason="storage"} 1');
  expect(metrics).toContain(`redpen_disk_free_bytes{place="data"} ${312 * MB}`);
  expect((await ofDocument(app, workspace, 'get')).status).toBe(200);
  expect((await ofDocument(app, workspace, 'delete')).status).toBe(200);
  disk.freeMb = 600;
  await storage.look();
  expect((await addDocument(app, workspace, 'two')).status).toBe(200);
});

test('requests that would exceed the quota of a key are refused with its usage, and deletions make room again', async () => {
  const { app, storage, deps } = await serve({ limitBytes: MB });
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const text = 'x'.repeat(300_000);
  expect((await addDocument(app, workspace, 'one', text)).status).toBe(200);
  expect((await addDocument(app, workspace, 'two', text)).status).toBe(200);
  expect((await addDocument(app, workspace, 'three', text)).status).toBe(200);
  const refused = await addDocument(app, workspace, 'four', text);
  expect([refused.status, refused.body.error]).toMatchObject([
    429,
    {
      status: 'RESOURCE_EXHAUSTED',
      message:
        'The API key has stored 0.9 MB, and may store 1 MB: this request would add too much. Reads and deletions go on.',
    },
  ]);
  expect((await addDocument(app, other, 'one', text)).status).toBe(200);
  expect((await ofDocument(app, workspace, 'get')).status).toBe(200);
  // The count of one process applies to the others.
  await storage.quota.refresh();
  const second = await serve({ limitBytes: MB });
  expect((await addDocument(second.app, workspace, 'four', text)).status).toBe(429);
  storage.quota.count(workspace.apiKeyId, MB);
  expect((await addDocument(app, workspace, 'five')).body.error.message).toBe(
    'The API key has stored 1.9 MB, and may store 1 MB: nothing is added until some of it is deleted. Reads and deletions go on.',
  );
  expect((await ofDocument(app, workspace, 'delete')).status).toBe(200);
  await storage.quota.refresh();
  await storage.quota.recount();
  const [row] = await listStored(deps.db, [workspace.apiKeyId]);
  expect(row).toMatchObject({ addedBytes: 0 });
  expect((await addDocument(app, workspace, 'five')).status).toBe(200);
  expect((await app.inject('/metrics')).body).toContain('redpen_writes_refused_total{reason="quota"} 2');
});

test('an upload is refused before its bytes are read if it would exceed the quota or the disk is full', async () => {
  expectLog(/disk has less space left/);
  const { app, storage, disk } = await serve({ limitBytes: 1_000 });
  const workspace = await newWorkspace();
  const announced = await workspace.post('/v2/memory/knowledge/upload-url', {
    mimeType: 'text/markdown',
    fileSize: 600,
  });
  const { pathname, search } = new URL(announced.body.result.uploadUrl);
  const put = async (to = app) =>
    (
      await to.inject({
        method: 'PUT',
        url: pathname + search,
        headers: { 'content-type': 'text/markdown' },
        payload: 'x'.repeat(600),
      })
    ).json();
  storage.quota.count(workspace.apiKeyId, 401);
  expect((await put()).error.status).toBe('RESOURCE_EXHAUSTED');
  disk.freeMb = 1;
  await storage.look();
  expect((await put()).error.status).toBe('UNAVAILABLE');
  const roomy = await serve({ limitBytes: 100_000 });
  expect((await put(roomy.app)).result.status).toBe('success');
});

test('a full disk is reported as such, and not as an internal error', async () => {
  expectLog(/request cannot be served.*ENOSPC/);
  const { app } = await serve({
    blobs: {
      put: async () => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      },
    },
  });
  const workspace = await newWorkspace();
  const announced = await workspace.post('/v2/memory/knowledge/upload-url', {
    mimeType: 'text/markdown',
    fileSize: 3,
  });
  const { pathname, search } = new URL(announced.body.result.uploadUrl);
  const answer = await app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-type': 'text/markdown' },
    payload: 'abc',
  });
  expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toMatchObject([
    503,
    {
      status: 'UNAVAILABLE',
      message: 'There is no space left on the disk: nothing is written until there is.',
    },
    '10',
  ]);
});

test('a file counts for the key in its name as soon as it is stored', async () => {
  const { storage } = await serve({ limitBytes: 1_000 });
  const blobs = countingBlobs({ put: async () => {} } as unknown as BlobStore, storage);
  await blobs.put('knowledge/key_a/file', Buffer.alloc(600), 'text/plain');
  await blobs.put('key_b/execution/artifact', Buffer.alloc(700), 'image/png');
  const wouldExceed = (apiKeyId: string, bytes: number) => storage.quota.wouldExceed(apiKeyId, bytes);
  expect([
    wouldExceed('key_a', 400),
    wouldExceed('key_a', 401),
    wouldExceed('key_b', 300),
    wouldExceed('key_b', 301),
  ]).toEqual([false, true, false, true]);
});

test('stored data is counted in slices, with the same result for any slices and for a single key', async () => {
  const { url } = await newDatabase();
  const { db, ...database } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(() => database.close());
  // Random text, since it does not compress.
  await sql`insert into events (api_key_id, event_id, workspace_id, name, payload, created_at)
    select 'key' || n % 2, 'e' || n, 'w', 'comment.add', jsonb_build_object('text', (
      select string_agg(md5(n::text || i), '') from generate_series(1, 100) i)), 1
    from generate_series(1, 200) n`.execute(db);
  await sql`insert into knowledge_uploads (api_key_id, upload_id, organization_id, document_id, mime_type, byte_size,
      blob_key, created_at, expires_at)
    values ('key0', 'a', '', '', 'image/png', 12345, 'knowledge/key0/a', 1, 1)`.execute(db);
  const read = async () =>
    (await listStored(db, ['key0', 'key1'])).sort((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
  await countAllStored(db, never, 1);
  const sliced = await read();
  await countAllStored(db, never);
  const whole = await read();
  const counted = (rows: typeof sliced) => rows.map(({ rowBytes, fileBytes }) => [rowBytes, fileBytes]);
  expect(counted(whole)).toEqual(counted(sliced));
  await countStored(db, 'key0');
  expect(counted(await read())).toEqual(counted(whole));
  const [[first, files], [second]] = counted(whole) as [[number, number], [number]];
  expect(files).toBe(12_345);
  // 100 events of 3,200 characters.
  expect(first).toBeGreaterThan(320_000);
  expect(first).toBeLessThan(400_000);
  expect(Math.abs(second - first)).toBeLessThan(1_000);
  await sql`delete from events where api_key_id = 'key1'`.execute(db);
  await countAllStored(db, never);
  expect(await listStored(db, ['key1'])).toEqual([]);
  expect(await printUsage(db, 1)).toMatch(
    /^API KEY +MB +DATABASE +FILES +ADDED SINCE +COUNTED\nkey0 +0\.3 +0\.3 +0\.0 +0\.0 +\d{4}-.*\n$/,
  );
});

test('data that is added during a count stays counted as added', async () => {
  const { storage, deps } = await serve({ limitBytes: MB });
  const { apiKeyId } = await newWorkspace();
  storage.quota.count(apiKeyId, 1_000);
  await storage.quota.refresh();
  let queries = 0;
  // The first query of a count reads what was added before it.
  const db = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries++;
      if (queries === 1) {
        storage.quota.count(apiKeyId, 70);
        await storage.quota.refresh();
      }
      return result;
    },
  });
  await countStored(db, apiKeyId);
  expect(queries).toBeGreaterThan(1);
  expect(await listStored(deps.db, [apiKeyId])).toMatchObject([{ addedBytes: 70 }]);
});

test('a workspace sees the usage and limit of its own keys only', async () => {
  const { app, deps } = await serve({ limitBytes: 5 * MB });
  const workspace = await newWorkspace();
  const { workspaceHeaders, apiKeyId } = workspace;
  const usage = async (data: object) =>
    (await post(app, workspaceHeaders, '/v2/workspace/usage/get', data)).body.result.data;
  expect(await usage({})).toMatchObject([
    { id: apiKeyId, storedBytes: 0, countedAt: null, maxStoredBytes: 5 * MB },
  ]);
  await countStored(deps.db, apiKeyId);
  const [shown] = await usage({ apiKeys: [apiKeyId] });
  expect(shown.storedBytes).toBeGreaterThan(100);
  expect(shown.storedBytes).toBe(shown.databaseBytes + shown.fileBytes + shown.addedBytes);
  expect(shown.countedAt).toBeGreaterThan(0);
  const { apiKeyId: foreign } = await newWorkspace();
  expect(await usage({ apiKeys: [foreign] })).toEqual([]);
});

test('rows without an API key count for the workspace that they name, and for nobody if they name none', async () => {
  const { app, deps } = await serve();
  const workspace = await newWorkspace();
  const { workspaceHeaders, workspaceId, apiKeyId } = workspace;
  const usage = async () => (await post(app, workspaceHeaders, '/v2/workspace/usage/get', {})).body.result;
  expect((await usage()).workspace).toEqual({ storedBytes: 0, countedAt: null });
  await addMember(workspace, 'viewer');
  await recordForService(deps.db, 'test', { action: 'signing_key.rotated', id: 'key' });
  const chains = await deps.db
    .selectFrom('auditLog')
    .select('workspaceId')
    .distinct()
    .where('apiKeyId', 'is', null)
    .where('workspaceId', 'in', [workspaceId, SERVICE_CHAIN])
    .execute();
  expect(chains).toHaveLength(2);
  await countAllStored(deps.db, never);
  const whole = await usage();
  expect(whole.workspace.storedBytes).toBeGreaterThan(1_000);
  expect(whole.workspace.countedAt).toBeGreaterThan(0);
  expect(whole.data).toMatchObject([{ id: apiKeyId, countedAt: whole.workspace.countedAt }]);
  expect(await workspaceStored(deps.db, SERVICE_CHAIN)).toBeUndefined();
  await countStored(deps.db, apiKeyId);
  await countWorkspaceStored(deps.db, workspaceId);
  const single = await usage();
  expect(single.workspace.storedBytes).toBe(whole.workspace.storedBytes);
  expect(single.data[0].storedBytes).toBe(whole.data[0].storedBytes);
});
