import { areDeletionsHeld } from '../db/hold-deletions.ts';
import type { Db } from '../db/tables.ts';
import { randomId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { BlobStore } from '../outside/storage/blob-store.ts';
import { listTrash, markForDeletion, unmarkForDeletion } from '../store/knowledge/knowledge-trash.ts';

/** Time within which a stored file must be referred to. */
const ORPHANED_AFTER_MS = 3_600_000;
const BATCH_SIZE = 100;

/** The folders of files in the blob store, each with a folder for every API key. */
export type FileFolder = 'knowledge' | 'attachments';

/**
 * Stores a file. Returns its blob key. It is marked for deletion until something refers to it, see `unmarkForDeletion`,
 * so that a crash in between leaves no orphan.
 */
export async function putFile(
  db: Db,
  blobs: BlobStore,
  scope: Pick<Scope, 'apiKeyId'>,
  { bytes, mimeType, folder }: { bytes: Uint8Array; mimeType: string; folder: FileFolder },
): Promise<string> {
  const blobKey = `${folder}/${scope.apiKeyId}/${randomId()}`;
  await markForDeletion(db, scope, [blobKey], Date.now() + ORPHANED_AFTER_MS);
  await blobs.put(blobKey, bytes, mimeType);
  return blobKey;
}

/** Deletes a marked file, unless a backup is being written: then the file stays marked. */
export async function deleteFile(
  db: Db,
  blobs: BlobStore,
  scope: Pick<Scope, 'apiKeyId'>,
  blobKey: string,
): Promise<void> {
  if (await areDeletionsHeld(db)) return;
  await blobs.deletePrefix(blobKey);
  await unmarkForDeletion(db, scope, blobKey);
}

/** Deletes all marked files that are due, unless a backup is being written. */
export async function deleteMarkedFiles(db: Db, blobs: BlobStore, now: number): Promise<void> {
  while (!(await areDeletionsHeld(db))) {
    const files = await listTrash(db, now, BATCH_SIZE);
    for (const { apiKeyId, blobKey } of files) await deleteFile(db, blobs, { apiKeyId }, blobKey);
    if (files.length < BATCH_SIZE) return;
  }
}
