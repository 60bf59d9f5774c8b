import type { BlobStore } from '../../outside/storage/blob-store.ts';

export interface MovedFiles {
  count: number;
  bytes: number;
}

/**
 * Copies all stored files to another store and reads each there to compare it. Files that are there already are not written
 * again, so that a move that is broken off is taken up by the next one. The source keeps its files.
 */
export async function moveFiles(
  source: BlobStore,
  target: BlobStore,
  onProgress: (line: string) => void,
): Promise<MovedFiles> {
  const moved: MovedFiles = { count: 0, bytes: 0 };
  for await (const key of source.list()) {
    const file = await source.get(key);
    // Deleted since it was listed.
    if (file === undefined) continue;
    if (!isSame(file, await target.get(key))) {
      await target.put(key, file.bytes, file.mimeType);
      if (!isSame(file, await target.get(key)))
        throw new Error(`The file ${key} differs from what was stored.`);
    }
    moved.count++;
    moved.bytes += file.bytes.length;
    if (moved.count % 1_000 === 0) onProgress(`stored files: ${moved.count} so far`);
  }
  return moved;
}

type StoredFile = Awaited<ReturnType<BlobStore['get']>>;

const isSame = (a: NonNullable<StoredFile>, b: StoredFile): boolean =>
  b !== undefined && a.mimeType === b.mimeType && Buffer.compare(a.bytes, b.bytes) === 0;
