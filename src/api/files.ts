import type { FileRoute } from '../http/file-route.ts';
import { notFound } from '../lib/errors.ts';
import { MAX_UPLOAD_BYTES } from '../memory/knowledge/check-file.ts';
import {
  admitUpload,
  downloadLinked,
  FILES_PATH,
  receiveUpload,
  UPLOADS_PATH,
} from '../memory/knowledge/serve-links.ts';
import { getArtifact } from '../store/agents/artifacts.ts';

/** Operations with raw bytes. */
export const files: readonly FileRoute[] = [
  {
    path: '/v2/blobs',
    by: 'apiKey',
    async handle({ id }, caller, { db, outside }) {
      const artifact = await getArtifact(db, caller, id);
      const blob = artifact && (await outside.blobs.get(artifact.blobKey));
      if (!artifact || !blob) throw notFound(`There is no file ${id}.`);
      return { bytes: blob.bytes, mimeType: artifact.mimeType, name: artifact.name };
    },
  },
  {
    path: FILES_PATH,
    by: 'download link',
    summary: 'Download the file of a knowledge source, or its text.',
    description:
      'Over a link that ingest-status or list answered, within 15 minutes and without credentials: anyone who has the link may use it.',
    handle: downloadLinked,
  },
  {
    path: UPLOADS_PATH,
    by: 'upload link',
    summary: 'Upload a file that becomes a knowledge source.',
    description:
      'Over the link that upload-url answered, once, within 15 minutes and without credentials: the bytes of the file as they are, with the content-type and of the size that were announced.',
    bodyLimitBytes: MAX_UPLOAD_BYTES,
    accept: admitUpload,
    handle: receiveUpload,
  },
];
