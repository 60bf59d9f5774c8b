import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ArchiveStore, openArchiveStore } from './archive-store.ts';
import { type FakeS3, startFakeS3 } from './testing-s3.ts';

/** The smallest part that S3 takes. */
const PART_BYTES = 5 * 1024 * 1024;
const large = Buffer.alloc(2 * PART_BYTES + 1_000, 'redpen');

let folder = '';
let s3: FakeS3;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'archives test '));
  s3 = await startFakeS3();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key-secret');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await s3.close();
});

const bucketUrl = () => `s3://backups/of/redpen?endpoint=${encodeURIComponent(s3.url)}&forcePathStyle=true`;
const folderUrl = () => pathToFileURL(join(folder, 'new', 'archives')).href;

async function put(store: ArchiveStore, name: string, bytes: Buffer): Promise<void> {
  const { sink, finish } = await store.write(name);
  await pipeline(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), sink);
  await finish();
}

describe.each<[string, () => ArchiveStore]>([
  ['a folder', () => openArchiveStore(folderUrl())],
  ['a bucket', () => openArchiveStore(bucketUrl(), { partBytes: PART_BYTES })],
])('%s', (_kind, open) => {
  test('lists, reads and removes archives of any size', async () => {
    const store = open();
    expect(await store.list()).toEqual([]);
    await put(store, 'b.tar', large);
    await put(store, 'a.tar', Buffer.from('a small one'));
    expect(await store.list()).toEqual([
      { name: 'a.tar', bytes: 11 },
      { name: 'b.tar', bytes: large.length },
    ]);
    expect((await buffer(await store.read('b.tar'))).equals(large)).toBe(true);
    await store.remove('b.tar');
    expect((await store.list()).map(({ name }) => name)).toEqual(['a.tar']);
    await expect(store.read('b.tar')).rejects.toThrow();
  });

  test('has no trace of an archive that is discarded', async () => {
    const store = open();
    const { sink, discard } = await store.write('half.tar');
    sink.write(large);
    await discard();
    expect((await store.list()).map(({ name }) => name)).toEqual(['a.tar']);
    expect(s3.uploads.size).toBe(0);
  });
});

test('a folder is for its owner alone, and loses what killed processes have left', async () => {
  const store = openArchiveStore(folderUrl());
  const path = (name: string) => join(folder, 'new', 'archives', name);
  writeFileSync(path('old.tar.partial'), '');
  utimesSync(path('old.tar.partial'), 1, 1);
  writeFileSync(path('other.tar.partial'), '');
  await put(store, 'c.tar', Buffer.from('c'));
  expect(readdirSync(path(''))).toEqual(['a.tar', 'c.tar', 'other.tar.partial']);
  expect((await store.list()).map(({ name }) => name)).toEqual(['a.tar', 'c.tar']);
  expect(statSync(path('c.tar')).mode & 0o777).toBe(0o600);
  expect(statSync(path('')).mode & 0o777).toBe(0o700);
});
