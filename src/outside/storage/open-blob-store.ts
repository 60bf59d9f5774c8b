import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { within } from '../../lib/time.ts';
import { closeToOthers, type FolderLog } from '../../postgres/private-folder.ts';
import { blobBytes, blobOperations } from '../net/outbound-metrics.ts';
import { openBucket } from './blob-bucket.ts';
import { openFolder } from './blob-folder.ts';
import { BlobFailure, type BlobStore } from './blob-store.ts';

interface BlobOptions {
  /** The setting that chooses the blob store. Default REDPEN_BLOB_URL. */
  setting?: string;
  /** Timeout of one operation. */
  timeoutMs?: number;
  /** Receives the `date` header of each response of a bucket. */
  onDate?: (date: string) => void;
}

const TIMEOUT_MS = 60_000;

/**
 * Opens `file:///some/folder`, or `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=true`. The store throws only
 * `BlobFailure`.
 */
export function openBlobStore(address: string, options: BlobOptions = {}): BlobStore {
  const url = URL.parse(address);
  if (url?.protocol === 'file:') return withChecks(openFolder(fileURLToPath(url)), options);
  if (url?.protocol === 's3:' && url.hostname !== '')
    return withChecks(openBucket(url, options.onDate), options);
  throw new Error('A blob store is a file: or an s3: URL.');
}

/** The folder of a `file:` blob store; undefined for a bucket. */
export function folderOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.protocol === 'file:' ? fileURLToPath(url) : undefined;
}

/** Closes the blob folder to other users of the machine; a folder that another user owns is only warned about. */
export function closeBlobFolder(address: string, log: FolderLog): void {
  const folder = folderOf(address);
  const found = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  if (folder === undefined || found === undefined) return;
  if (found.uid === process.getuid?.())
    closeToOthers(folder, { name: 'The folder of kept files', setting: 'REDPEN_BLOB_URL', log });
  else if ((found.mode & 0o007) !== 0)
    log.warn({ folder, uid: found.uid }, 'folder of stored files belongs to another user and is open to all');
}

const MAX_KEY_LENGTH = 512;

/** Throws on a key that is no list of relative path segments, since it could leave the store or name all of it. */
function checkKey(key: string, role: 'key' | 'prefix') {
  const segments = key.split('/');
  const last = segments.pop()!;
  const isWhole = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
  const isFine =
    key.length > 0 &&
    key.length <= MAX_KEY_LENGTH &&
    key.isWellFormed() &&
    !/[\\\x00-\x1f\x7f]/.test(key) &&
    segments.every(isWhole) &&
    (isWhole(last) || (role === 'prefix' && last === ''));
  if (!isFine) throw new Error(`Not a blob ${role}: ${JSON.stringify(key.slice(0, 100))}`);
}

const withChecks = (
  store: BlobStore,
  { setting = 'REDPEN_BLOB_URL', timeoutMs = TIMEOUT_MS }: BlobOptions,
): BlobStore => {
  const run = async <T>(operation: 'put' | 'get' | 'delete', work: Promise<T>, verb: string): Promise<T> => {
    try {
      const done = await withTimeout(work, verb, setting, timeoutMs);
      blobOperations.inc({ operation, outcome: 'done' });
      return done;
    } catch (error) {
      blobOperations.inc({ operation, outcome: 'failed' });
      throw error;
    }
  };
  return {
    async put(key, bytes, mimeType) {
      checkKey(key, 'key');
      await run('put', store.put(key, bytes, mimeType), 'kept');
      blobBytes.inc({ operation: 'put' }, bytes.length);
    },
    async get(key) {
      checkKey(key, 'key');
      const found = await run('get', store.get(key), 'read');
      if (found) blobBytes.inc({ operation: 'get' }, found.bytes.length);
      return found;
    },
    async deletePrefix(prefix) {
      checkKey(prefix, 'prefix');
      await run('delete', store.deletePrefix(prefix), 'deleted');
    },
    async *list() {
      try {
        yield* store.list();
      } catch (error) {
        throw asFailure(error, 'listed', setting);
      }
    },
  };
};

const REASONS: Record<string, string> = {
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  ENOENT: 'the folder is not there and cannot be made',
  ENOTDIR: 'a file stands where a folder is meant',
  EEXIST: 'a file stands where a folder is meant',
  EROFS: 'the disk is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the quota of the disk is used up',
};

const LATE = Symbol('late');

/** Applies the timeout, since a network disk or a bucket may never answer, and wraps errors. */
async function withTimeout<T>(
  work: Promise<T>,
  verb: string,
  setting: string,
  timeoutMs: number,
): Promise<T> {
  try {
    const result = await within(timeoutMs, work, LATE);
    if (result !== LATE) return result;
    throw Object.assign(new Error(`It took longer than ${timeoutMs} ms.`), { code: 'ETIMEDOUT' });
  } catch (error) {
    throw asFailure(error, verb, setting);
  }
}

function asFailure(error: unknown, verb: string, setting: string): BlobFailure {
  const { code: ofSystem, name } = error as NodeJS.ErrnoException;
  const code = ofSystem ?? name;
  return new BlobFailure(`Files cannot be ${verb} (${setting}): ${REASONS[code] ?? code}.`, code, error);
}
