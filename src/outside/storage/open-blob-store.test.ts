import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';
import { type FakeS3, startFakeS3 } from './testing-s3.ts';

let folder = '';
let s3: FakeS3;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs test '));
  s3 = await startFakeS3();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key-secret');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
  await s3.close();
});

const bucketUrl = () => `s3://blobs/some/prefix?endpoint=${encodeURIComponent(s3.url)}&forcePathStyle=true`;

describe.each<[string, () => BlobStore]>([
  ['a folder', () => openBlobStore(pathToFileURL(folder).href)],
  ['a bucket', () => openBlobStore(bucketUrl())],
])('%s', (_kind, open) => {
  test('returns bytes and type, even after it is opened again', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await open().put('executions/1/shot ä%.png', bytes, 'image/png');
    const found = await open().get('executions/1/shot ä%.png');
    expect(found?.mimeType).toBe('image/png');
    expect(Buffer.from(found!.bytes).equals(bytes)).toBe(true);
  });

  test('replaces a blob with its type, and accepts an empty one', async () => {
    const store = open();
    await store.put('replaced', Buffer.from('one'), 'text/plain');
    await store.put('replaced', Buffer.from(''), 'text/html; charset=utf-8');
    const found = await store.get('replaced');
    expect(found?.mimeType).toBe('text/html; charset=utf-8');
    expect(found?.bytes.length).toBe(0);
  });

  test('returns nothing for a blob that was never stored', async () => {
    await open().put('there', Buffer.from('x'), 'text/plain');
    expect(await open().get('not/there')).toBeUndefined();
    expect(await open().get('there/below')).toBeUndefined();
  });

  test('lists every key, as it was given', async () => {
    const store = open();
    const keys = ['list/1', 'list/1/a', 'list/ünï %,/b', 'list/c,blob', 'list/2'];
    for (const key of keys) await store.put(key, Buffer.from(key), 'text/plain');
    const listed: string[] = [];
    for await (const key of store.list()) listed.push(key);
    expect(listed.filter((key) => key.startsWith('list/')).sort()).toEqual(keys.sort());
  });

  test('deletes only keys with the prefix', async () => {
    const store = open();
    const keys = ['run/1', 'run/1/a', 'run/1/b/c', 'run/1/d', 'run/10/a', 'run/2/a', 'other'];
    for (const key of keys) await store.put(key, Buffer.from(key), 'text/plain');
    await store.deletePrefix('run/1/');
    const left = async () => {
      const found = await Promise.all(keys.map((key) => store.get(key)));
      return keys.filter((_key, index) => found[index]);
    };
    expect(await left()).toEqual(['run/1', 'run/10/a', 'run/2/a', 'other']);
    await store.deletePrefix('run/1');
    expect(await left()).toEqual(['run/2/a', 'other']);
    await store.deletePrefix('never/was');
  });

  test.each([
    '',
    '/absolute',
    '../out',
    'a/../../out',
    'a/./b',
    'a//b',
    'a/',
    '..',
    'a\\..\\b',
    'nul\0',
    'line\nbreak',
    '\ud800',
    'x'.repeat(600),
  ])('refuses the key %j', async (key) => {
    await expect(open().put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow(/blob key/);
    await expect(open().get(key)).rejects.toThrow(/blob key/);
  });

  test.each(['', '..', '../../', '/', 'a/../'])('refuses to delete the prefix %j', async (prefix) => {
    await expect(open().deletePrefix(prefix)).rejects.toThrow(/blob prefix/);
  });
});

test('concurrent writers of one key leave one complete blob and no other file', async () => {
  const store = openBlobStore(pathToFileURL(join(folder, 'race')).href);
  const versions = Array.from({ length: 20 }, (_, index) => Buffer.alloc(50_000, index));
  await Promise.all(versions.map((bytes) => store.put('a/b', bytes, 'image/png')));
  const { bytes } = (await store.get('a/b'))!;
  expect(versions.some((version) => version.equals(bytes))).toBe(true);
  expect((await readdir(join(folder, 'race', 'a'))).length).toBe(2);
});

test('a failed write leaves nothing behind', async () => {
  const root = join(folder, 'full');
  const store = openBlobStore(pathToFileURL(root).href);
  await store.put('a', Buffer.from('x'), 'text/plain');
  await writeFile(join(root, 'file'), '');
  await expect(store.put('file/below', Buffer.from('x'), 'text/plain')).rejects.toThrow();
  expect((await readdir(root)).sort()).toEqual(['a,blob', 'a,type', 'file']);
});

test('requests to a bucket are signed, and use its prefix', async () => {
  await openBlobStore(bucketUrl()).put('k', Buffer.from('x'), 'text/plain');
  const last = s3.requests.at(-1)!;
  expect(last.url).toMatch(/^\/blobs\/some\/prefix\/k(\?|$)/);
  expect(last.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=key-id\/\d+\/us-east-1\/s3\//);
  expect(s3.objects.has('blobs/some/prefix/k')).toBe(true);
});

test('a failing bucket is an error, not a missing blob', async () => {
  const gone = await startFakeS3();
  const store = openBlobStore(`s3://blobs?endpoint=${encodeURIComponent(gone.url)}&forcePathStyle=true`);
  await gone.close();
  await expect(store.get('k')).rejects.toThrow();
});

test.each(['/just/a/path', 'ftp://x/y', 's3:///no-bucket', ''])('%j is not a blob store', (address) => {
  expect(() => openBlobStore(address)).toThrow(/blob store/);
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be created is reported with the setting',
  async () => {
    const refused = openBlobStore('file:///proc/not-there/blobs').put('a/b', Buffer.from('x'), 'text/plain');
    await expect(refused).rejects.toMatchObject({
      name: 'BlobFailure',
      code: 'ENOENT',
      message: 'Files cannot be kept (REDPEN_BLOB_URL): the folder is not there and cannot be made.',
    });
  },
);

test('a file in the way of a folder is reported with the setting that named it', async () => {
  await writeFile(join(folder, 'file'), '');
  const store = openBlobStore(pathToFileURL(join(folder, 'file')).href, { setting: 'REDPEN_DATA_DIR' });
  await expect(store.put('a/b', Buffer.from('x'), 'text/plain')).rejects.toThrow(
    'Files cannot be kept (REDPEN_DATA_DIR): a file stands where a folder is meant.',
  );
});

test('an unreachable or silent bucket is reported without its address', async () => {
  const closed = await startFakeS3();
  await closed.close();
  const gone = openBlobStore(`s3://blobs?endpoint=${encodeURIComponent(closed.url)}&forcePathStyle=true`);
  await expect(gone.get('a')).rejects.toMatchObject({
    message: 'Files cannot be read (REDPEN_BLOB_URL): ECONNREFUSED.',
    cause: expect.any(Error),
  });
  const { server, url } = await silentServer();
  onTestFinished(() => void server.close());
  const silent = openBlobStore(`s3://blobs?endpoint=${encodeURIComponent(url)}&forcePathStyle=true`, {
    timeoutMs: 50,
  });
  await expect(silent.deletePrefix('a')).rejects.toThrow(
    'Files cannot be deleted (REDPEN_BLOB_URL): ETIMEDOUT.',
  );
});

test('the date header of a bucket is passed on', async () => {
  const dates: string[] = [];
  const store = openBlobStore(bucketUrl(), { onDate: (date) => dates.push(date) });
  await store.put('dated', Buffer.from('x'), 'text/plain');
  expect(Date.parse(dates[0]!)).toBeGreaterThan(0);
});

/** A server that accepts connections and requests, and never answers. */
async function silentServer() {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
