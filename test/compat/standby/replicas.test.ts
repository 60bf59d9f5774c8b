import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { allowLog } from '../../run/log-watch.ts';
import { until } from '../../run/until.ts';
import { type Service, startService } from '../../service/service.ts';
import { startPair } from './servers.ts';

const WRITES = 40;

async function startOn(env: Record<string, string>): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-replicas-'));
  const service = await startService({
    REDPEN_DATA_DIR: dataDir,
    REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    REDPEN_REPLICA_READS: 'all',
    ...env,
  });
  onTestFinished(async () => {
    await service.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  return service;
}

/** Reads of a process, by outcome. */
async function readsOf({ url }: Service): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(/^redpen_database_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

const replicaCheck = async ({ url }: Service): Promise<string | undefined> => {
  const { checks } = (await (await fetch(`${url}/ready`)).json()) as {
    checks: { name: string; status: string }[];
  };
  return checks.find(({ name }) => name === 'replicas')?.status;
};

test('a caller reads what it wrote through another process, while a standby follows, lags, fails and comes back', async () => {
  allowLog(/read replicas? .*cannot be used|ECONNREFUSED|connection/);
  const pair = await startPair();
  onTestFinished(pair.stop);
  const env = { DATABASE_URL: pair.primary.url, DATABASE_REPLICA_URL: pair.standby.url };
  const writer = await startOn(env);
  const reader = await startOn(env);
  const created = await writer.post('/v2/workspace/create', { ownerEmail: 'ana@example.com' });
  const { authToken, apiKeyList } = (
    created.body as {
      result: { data: { authToken: string; apiKeyList: Record<string, { authToken?: string }> } };
    }
  ).result.data;
  expect(authToken).toBeTypeOf('string');
  const client = new pg.Client({ connectionString: pair.primary.url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  const apiKeyId = Object.keys(apiKeyList)[0]!;
  const issued = await writer.post(
    '/v2/workspace/authtokens/get',
    { apiKey: apiKeyId },
    {
      'x-service-workspace-id': (created.body as { result: { data: { id: string } } }).result.data.id,
      'x-service-workspace-auth-token': authToken,
    },
  );
  expect(issued.status, JSON.stringify(issued.body)).toBe(200);
  const { authTokens } = (issued.body as { result: { data: { authTokens: { token: string }[] } } }).result
    .data;
  const token = authTokens[0]!.token;
  const headers = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': token };

  let count = 0;
  const writeAndRead = async () => {
    const documentId = `document-${++count}`;
    const added = await writer.post(
      '/v2/organizations/documents/add',
      { organizationId: 'acme', documents: [{ documentId, documentName: documentId }] },
      headers,
    );
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    const listed = await reader.post(
      '/v2/organizations/documents/get',
      { organizationId: 'acme', pageSize: 1_000 },
      headers,
    );
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    const { data } = (listed.body as { result: { data: { id: string }[] } }).result;
    expect(data.map(({ id }) => id)).toContain(documentId);
  };
  const writeAndReadOften = async () => {
    for (let at = 0; at < WRITES; at++) await writeAndRead();
  };
  await until(async () => (await replicaCheck(reader)) === 'ok');
  await writeAndReadOften();
  expect((await readsOf(reader)).replica).toBeGreaterThan(0);

  // It stops to replay what it gets.
  const standby = new pg.Client({ connectionString: pair.standby.url });
  standby.on('error', () => {});
  await standby.connect();
  await standby.query('select pg_wal_replay_pause()');
  const before = await readsOf(reader);
  await writeAndRead();
  await writeAndRead();
  expect((await readsOf(reader)).behind).toBeGreaterThan(before.behind!);
  await standby.query('select pg_wal_replay_resume()');
  await standby.end().catch(() => {});

  await pair.standby.kill();
  await writeAndReadOften();
  expect(await replicaCheck(reader)).toBe('failed');
  expect(await (await fetch(`${reader.url}/ready`)).json()).toMatchObject({ status: 'degraded' });

  await pair.standby.start();
  await until(async () => (await replicaCheck(reader)) === 'ok');
  const failed = await readsOf(reader);
  await writeAndReadOften();
  expect((await readsOf(reader)).replica).toBeGreaterThan(failed.replica!);
});
