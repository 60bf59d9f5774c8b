import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { openDatabase } from '../db/connections/connect.ts';
import type { Db } from '../db/tables.ts';
import { createKeyring } from '../lib/crypto.ts';
import { createApiKey } from '../store/platform/create-api-key.ts';
import { createWorkspace } from '../store/platform/create-workspace.ts';
import { countAllStored, lastCountAt, listStored, workspaceStored } from '../store/platform/stored-bytes.ts';
import { createStorageQuota, type StorageQuota } from './storage-quota.ts';

async function newQuota(apiKeyIds: readonly string[], limitBytes?: number) {
  const { url } = await newDatabase();
  const { db, ...database } = await openDatabase({ databaseUrl: url, onError: () => {} });
  for (const apiKeyId of apiKeyIds) {
    await sql`insert into events (api_key_id, event_id, workspace_id, name, payload, created_at)
      values (${apiKeyId}, 'e', 'w', 'comment.add', '{}', 1)`.execute(db);
  }
  await countAllStored(db, never);
  const errors: Error[] = [];
  const quota = createStorageQuota({
    db,
    limitBytes,
    isCounting: true,
    onError: (error) => errors.push(error),
  });
  await quota.refresh();
  onTestFinished(async () => {
    await quota.stop();
    await database.close();
  });
  return { db, quota, errors };
}

const failAt = async (db: Db, apiKeyId: string) => {
  await sql`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''no count of this key''; end'`.execute(db);
  await sql`create trigger refuse before insert or update on stored_bytes for each row
    when (new.api_key_id = ${sql.lit(apiKeyId)}) execute function refuse()`.execute(db);
};

const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

/** Creates a workspace with so many API keys. */
async function givenWorkspace(db: Db, ownerEmail: string, keyCount = 1) {
  const keyring = createKeyring([Buffer.alloc(32, 1)]);
  return await db.transaction().execute(async (tx) => {
    const { id: workspaceId, apiKeyList } = await createWorkspace(tx, keyring, { ownerEmail }, 'free');
    const apiKeyIds = Object.keys(apiKeyList);
    while (apiKeyIds.length < keyCount) {
      const key = { ownerEmail, type: 'testing' as const, createAuthToken: false };
      apiKeyIds.push(await createApiKey(tx, keyring, { workspaceId }, key));
    }
    return { workspaceId, apiKeyIds };
  });
}

/** The keys that a recount has counted. */
async function countedBy(db: Db, quota: StorageQuota, apiKeyIds: readonly string[]): Promise<string[]> {
  const timesOf = async () =>
    new Map((await listStored(db, apiKeyIds)).map(({ apiKeyId, countedAt }) => [apiKeyId, countedAt]));
  const before = await timesOf();
  await quota.recount();
  const after = await timesOf();
  return apiKeyIds.filter((apiKeyId) => after.get(apiKeyId) !== before.get(apiKeyId));
}

test('a key that cannot be counted is reported and waits like the others, which are counted nevertheless', async () => {
  const { db, quota } = await newQuota(['key_a', 'key_b'], 10);
  await failAt(db, 'key_a');
  const [before] = await listStored(db, ['key_b']);
  await expect(quota.recount()).rejects.toMatchObject({
    message: 'What these store could not be counted: key_a.',
    errors: [{ message: 'no count of this key' }],
  });
  const [after] = await listStored(db, ['key_b']);
  expect(after!.countedAt).toBeGreaterThan(before!.countedAt!);
  await quota.recount();
});

test('keys over the limit are counted in the order of their last count', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const apiKeyIds = Array.from({ length: 15 }, (_, index) => `key_${index}`);
  const { db, quota } = await newQuota(apiKeyIds, 10);
  const rounds: string[][] = [];
  for (let round = 0; round < 3; round++) {
    // Every key is due again.
    vi.setSystemTime(Date.now() + 86_400_000);
    rounds.push(await countedBy(db, quota, apiKeyIds));
  }
  expect(rounds.map((counted) => counted.length)).toEqual([10, 10, 10]);
  expect(new Set([...rounds[0]!, ...rounds[1]!]).size).toBe(15);
  expect(new Set([...rounds[1]!, ...rounds[2]!]).size).toBe(15);
});

test('new API keys and workspaces are counted once, a few at a time, with or without a limit', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, quota } = await newQuota([]);
  const { workspaceId, apiKeyIds } = await givenWorkspace(db, 'ada@example.com', 15);
  const rounds: string[][] = [];
  for (let round = 0; round < 3; round++) {
    vi.setSystemTime(Date.now() + 10_000);
    rounds.push(await countedBy(db, quota, apiKeyIds));
  }
  expect(rounds.map((counted) => counted.length)).toEqual([10, 5, 0]);
  const [first] = await listStored(db, apiKeyIds.slice(0, 1));
  expect(first!.rowBytes).toBeGreaterThan(100);
  const counted = await workspaceStored(db, workspaceId);
  expect(counted!.storedBytes).toBeGreaterThan(100);
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect(await countedBy(db, quota, apiKeyIds)).toEqual([]);
  expect(await workspaceStored(db, workspaceId)).toEqual(counted);
});

test('what is older than a day and was never counted is left to the count of all', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, quota } = await newQuota([]);
  const { workspaceId, apiKeyIds } = await givenWorkspace(db, 'ada@example.com');
  vi.setSystemTime(Date.now() + 25 * HOUR_MS);
  expect(await countedBy(db, quota, apiKeyIds)).toEqual([]);
  await countAllStored(db, never);
  expect(await listStored(db, apiKeyIds)).toHaveLength(1);
  expect(await workspaceStored(db, workspaceId)).toBeDefined();
});

test('counts of single API keys and workspaces do not put off the next count of all', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, quota } = await newQuota([], 10);
  const ada = await givenWorkspace(db, 'ada@example.com');
  await countAllStored(db, never);
  await quota.refresh();
  const before = await lastCountAt(db);
  expect(before).toBe(Date.now());
  vi.setSystemTime(Date.now() + 20 * 60_000);
  const bob = await givenWorkspace(db, 'bob@example.com');
  const apiKeyIds = [...ada.apiKeyIds, ...bob.apiKeyIds];
  expect((await countedBy(db, quota, apiKeyIds)).sort()).toEqual(apiKeyIds.sort());
  expect(await lastCountAt(db)).toBe(before);
});

test('the last additions are written at the stop, and a failure is reported without an exception', async () => {
  const { db, quota, errors } = await newQuota([]);
  quota.count('key_a', 70);
  await quota.stop();
  expect(await listStored(db, ['key_a'])).toMatchObject([{ addedBytes: 70 }]);
  await failAt(db, 'key_a');
  quota.count('key_a', 5);
  await quota.stop();
  expect(errors).toMatchObject([{ message: 'no count of this key' }]);
  expect(await listStored(db, ['key_a'])).toMatchObject([{ addedBytes: 70 }]);
});
