import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeToOthers, type FolderLog } from '../postgres/private-folder.ts';
import { openBucket } from './blob-bucket.ts';
import { openFolder } from './blob-folder.ts';
import { blobBytes, blobOperations } from './meters.ts';
import type { BlobStore } from './outside.ts';

/** Opens `file:///some/folder`, or `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=true`. */
export function openBlobStore(address: string): BlobStore {
  const url = URL.parse(address);
  if (url?.protocol === 'file:') return checked(openFolder(fileURLToPath(url)));
  if (url?.protocol === 's3:' && url.hostname !== '') return checked(openBucket(url));
  throw new Error('A blob store is a file: or an s3: URL.');
}

/** The folder of a blob store that is one. */
export function folderOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.protocol === 'file:' ? fileURLToPath(url) : undefined;
}

/** Closes the folder of blobs to other users where it is this user's own; one of another user is only warned of. */
export function closeBlobFolder(address: string, log: FolderLog): void {
  const folder = folderOf(address);
  const found = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  if (folder === undefined || found === undefined) return;
  if (found.uid === process.getuid?.())
    closeToOthers(folder, { name: 'The folder of kept files', setting: 'REDPEN_BLOB_URL', log });
  else if ((found.mode & 0o007) !== 0)
    log.warn({ folder, uid: found.uid }, 'folder of kept files belongs to another user and is open to all');
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
    await counted('put', store.put(key, bytes, mimeType));
    blobBytes.inc({ operation: 'put' }, bytes.length);
  },
  async get(key) {
    checkKey(key, 'key');
    const found = await counted('get', store.get(key));
    if (found) blobBytes.inc({ operation: 'get' }, found.bytes.length);
    return found;
  },
  async deletePrefix(prefix) {
    checkKey(prefix, 'prefix');
    await counted('delete', store.deletePrefix(prefix));
  },
});

async function counted<T>(operation: string, work: Promise<T>): Promise<T> {
  try {
    const done = await work;
    blobOperations.inc({ operation, outcome: 'done' });
    return done;
  } catch (error) {
    blobOperations.inc({ operation, outcome: 'failed' });
    throw error;
  }
}
