import { sha256 } from '../../lib/crypto.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import type { ArtifactRow } from '../../store/agents/artifacts.ts';
import type { TaskContext } from '../core/execute-task.ts';
import type { Run } from '../core/run-state.ts';

/** Keeps a file at an id that a repeated try of the same page arrives at again, so that nothing is kept twice. */
export function keeper(
  run: Run,
  url: string,
  blobs: BlobStore,
  rows: ArtifactRow[],
): TaskContext['keepArtifact'] {
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
