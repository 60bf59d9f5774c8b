import type { FileRoute } from '../http/server.ts';
import { notFound } from '../lib/errors.ts';
import { getArtifact } from '../store/artifacts.ts';

/** Kept files, such as screenshots, as bytes. */
export const files: readonly FileRoute[] = [
  {
    path: '/v2/blobs',
    async handle({ id }, caller, { db, outside }) {
      const artifact = await getArtifact(db, caller, id);
      const blob = artifact && (await outside.blobs.get(artifact.blobKey));
      if (!artifact || !blob) throw notFound(`There is no file ${id}.`);
      return { bytes: blob.bytes, mimeType: artifact.mimeType, name: artifact.name };
    },
  },
];
