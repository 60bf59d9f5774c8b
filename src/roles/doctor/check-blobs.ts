import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { BlobFailure } from '../../outside/storage/blob-store.ts';
import { folderOf, openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { asSentence, type Finding, failed, inWords, ok, reasonOf } from './check.ts';
import { nearestFolder } from './check-disk.ts';
import { addressIn } from './without-secrets.ts';

interface Options {
  /** `file:` or `s3:`. */
  address: string;
  /** REDPEN_BLOB_URL, or REDPEN_DATA_DIR if the folder is in the data folder. */
  setting: string;
  /** True if a missing folder may be created: the service does, the doctor does not. */
  mayMake: boolean;
  timeoutMs: number;
  onDate?: ((date: string) => void) | undefined;
}

/** Writes, reads and deletes a small file in the way of the service. */
export async function checkBlobs({
  address,
  setting,
  mayMake,
  timeoutMs,
  onDate,
}: Options): Promise<Finding> {
  const folder = folderOf(address);
  const place = folder ?? addressIn(address);
  const store = openBlobStore(address, { setting, timeoutMs, ...(onDate && { onDate }) });
  try {
    if (!mayMake && folder !== undefined && !existsSync(folder)) {
      const around = nearestFolder(folder);
      await rmdir(await mkdtemp(join(around, '.redpen-check-')));
      return ok(`The service creates ${folder} with its first file; ${around} is writable.`);
    }
    const ms = await writeReadDelete(store);
    return ok(`A file was written, read and deleted in ${place} in ${inWords(ms)}.`);
  } catch (error) {
    const cause = error instanceof BlobFailure ? error.cause : error;
    return failed(
      error instanceof BlobFailure
        ? `${error.message} ${asSentence(`${place}: ${reasonOf(cause)}`)}`
        : asSentence(`Files cannot be kept in ${place}: ${reasonOf(cause)}`),
      folder === undefined
        ? `${setting} names ${place}. Its bucket must exist, and the credentials of the environment (AWS_ACCESS_KEY_ID and others) must allow to put, get, list and delete.`
        : `${setting} names ${place}. Allow this user to write there, or set REDPEN_BLOB_URL to another folder or a bucket.`,
      error instanceof BlobFailure ? error.message : `Files cannot be kept (${setting}).`,
    );
  }
}

async function writeReadDelete(store: BlobStore): Promise<number> {
  const key = `redpen-check-${randomUUID()}`;
  const bytes = Buffer.from(key);
  const began = performance.now();
  await store.put(key, bytes, 'text/plain');
  const read = await store.get(key);
  await store.deletePrefix(key);
  if (read === undefined || !bytes.equals(read.bytes))
    throw new Error('The file that was read differs from the file that was written');
  if ((await store.get(key)) !== undefined) throw new Error('The deleted file can still be read');
  return performance.now() - began;
}
