import type { Db } from '../../db/tables.ts';
import { randomId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { BlobStore } from '../../outside/outside.ts';
import { listTrash, markForDeletion, unmarkForDeletion } from '../../store/knowledge/knowledge-trash.ts';

/** How long whoever keeps a file has to refer to it. */
const UNREFERRED_MS = 3_600_000;
const AT_ONCE = 100;

/**
 * Keeps a file, and answers under which key. Until something refers to it, see `unmarkForDeletion`, it counts as thrown away,
 * so that none is left behind by a process that dies in between.
 */
export async function putFile(
  db: Db,
  blobs: BlobStore,
  scope: Pick<Scope, 'apiKeyId'>,
  { bytes, mimeType }: { bytes: Uint8Array; mimeType: string },
): Promise<string> {
  const blobKey = `knowledge/${scope.apiKeyId}/${randomId()}`;
  await markForDeletion(db, scope, [blobKey], Date.now() + UNREFERRED_MS);
  await blobs.put(blobKey, bytes, mimeType);
  return blobKey;
}

/** Deletes a file that was thrown away. */
export async function deleteFile(
  db: Db,
  blobs: BlobStore,
  scope: Pick<Scope, 'apiKeyId'>,
  blobKey: string,
): Promise<void> {
  await blobs.deletePrefix(blobKey);
  await unmarkForDeletion(db, scope, blobKey);
}

/** Deletes the files that were thrown away by now. */
export async function emptyTrash(db: Db, blobs: BlobStore, now: number): Promise<void> {
  for (;;) {
    const files = await listTrash(db, now, AT_ONCE);
    for (const { apiKeyId, blobKey } of files) await deleteFile(db, blobs, { apiKeyId }, blobKey);
    if (files.length < AT_ONCE) return;
  }
}
