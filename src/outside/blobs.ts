import { fileURLToPath } from 'node:url';
import { openBucket } from './blob-bucket.ts';
import { openFolder } from './blob-folder.ts';
import type { BlobStore } from './outside.ts';

/** Opens `file:///some/folder`, or `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=true`. */
export function openBlobStore(address: string): BlobStore {
  const url = URL.parse(address);
  if (url?.protocol === 'file:') return checked(openFolder(fileURLToPath(url)));
  if (url?.protocol === 's3:' && url.hostname !== '') return checked(openBucket(url));
  throw new Error('A blob store is a file: or an s3: URL.');
}

const MAX_KEY_LENGTH = 512;

/** A key is relative path segments; whatever could step out of its store, or mean all of it, is a fault. */
function checkKey(key: string, what: 'key' | 'prefix') {
  const segments = key.split('/');
  const last = segments.pop()!;
  const isWhole = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
  const isFine =
    key.length > 0 &&
    key.length <= MAX_KEY_LENGTH &&
    key.isWellFormed() &&
    !/[\\\x00-\x1f\x7f]/.test(key) &&
    segments.every(isWhole) &&
    (isWhole(last) || (what === 'prefix' && last === ''));
  if (!isFine) throw new Error(`Not a blob ${what}: ${JSON.stringify(key.slice(0, 100))}`);
}

const checked = (store: BlobStore): BlobStore => ({
  async put(key, bytes, mimeType) {
    checkKey(key, 'key');
    await store.put(key, bytes, mimeType);
  },
  async get(key) {
    checkKey(key, 'key');
    return store.get(key);
  },
  async deletePrefix(prefix) {
    checkKey(prefix, 'prefix');
    await store.deletePrefix(prefix);
  },
});
