import { sha256 } from '../../lib/crypto.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import type { ArtifactRow } from '../../store/agents/artifacts.ts';
import type { PageContext } from './execution-strategy.ts';
import type { Run } from './run-state.ts';

/**
 * Stores files of a page and adds their rows to `rows`, to be inserted with the page's result. Ids derive from run, page
 * and name, so that a retry of the page overwrites its files instead of storing them twice.
 */
export function artifactStore(
  run: Run,
  url: string,
  blobs: BlobStore,
  rows: ArtifactRow[],
): PageContext['storeArtifact'] {
  return async ({ name, mimeType, bytes }) => {
    const { apiKeyId } = run.scope;
    const { executionId } = run.row;
    const artifactId = `file_${sha256(JSON.stringify([executionId, url, name])).slice(0, 32)}`;
    const blobKey = `${apiKeyId}/${executionId}/${artifactId}`;
    await blobs.put(blobKey, bytes, mimeType);
    rows.push({
      apiKeyId,
      artifactId,
      executionId,
      name,
      mimeType,
      sizeBytes: bytes.byteLength,
      blobKey,
      createdAt: Date.now(),
    });
    return artifactId;
  };
}
