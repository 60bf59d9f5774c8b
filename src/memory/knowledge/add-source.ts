import type { Db, Tx } from '../../db/tables.ts';
import { putFile } from '../../files/stored-files.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { sha256 } from '../../lib/crypto.ts';
import { failedPrecondition, invalidArgument, permissionDenied } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import type { MemoryPlace } from '../../shapes/memory/judgment.ts';
import { addKnowledgeSource } from '../../store/knowledge/knowledge-contents.ts';
import {
  getUpload,
  takeUpload,
  type UploadRow,
  uploadProblem,
} from '../../store/knowledge/knowledge-uploads.ts';
import { checkFileType } from './check-file.ts';

export interface AddSourceDeps {
  db: Db;
  jobs: Jobs;
  blobs: BlobStore;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const FILE_REF = /^redpen:\/\/knowledge-uploads\/([\w-]{1,100})$/;
export const fileRefOf = (uploadId: string): string => `redpen://knowledge-uploads/${uploadId}`;

const NO_SUCH_REF = 'The fileRef is not one of this API key.';

/** Adds an inline file as a source. Returns the source id. */
export async function addInlineSource(
  { db, jobs, blobs, transaction }: AddSourceDeps,
  scope: Scope,
  file: { bytes: Uint8Array; mimeType: string; fileName: string },
  { organizationId = '', documentId = '' }: MemoryPlace,
): Promise<string> {
  checkFileType(file);
  const blobKey = await putFile(db, blobs, scope, { ...file, folder: 'knowledge' });
  const source = { sourceId: newId('src'), organizationId, documentId, fileName: file.fileName };
  const stored = {
    sha256: sha256(file.bytes),
    mimeType: file.mimeType,
    byteSize: file.bytes.length,
    blobKey,
  };
  await transaction((tx) => addKnowledgeSource(tx, jobs, scope, source, stored));
  return source.sourceId;
}

/** Adds an uploaded file as a source. Returns the source id. */
export async function addUploadedSource(
  { db, jobs, blobs, transaction }: AddSourceDeps,
  scope: Scope,
  { fileRef, mimeType }: { fileRef: string; mimeType: string },
  place: MemoryPlace,
): Promise<string> {
  const ref = { apiKeyId: scope.apiKeyId, uploadId: FILE_REF.exec(fileRef)?.[1] ?? '' };
  const upload = await getUpload(db, ref);
  if (!upload) throw permissionDenied(NO_SUCH_REF);
  requireSamePlace(upload, place);
  if (upload.mimeType !== mimeType) {
    throw invalidArgument(`mimeType is not the ${upload.mimeType} that the upload URL was asked for.`);
  }
  const objection = uploadProblem(upload);
  if (objection) throw objection;
  const blob = await blobs.get(upload.blobKey!);
  if (!blob) throw failedPrecondition('The uploaded file is not there any more. Upload it again.');
  checkFileType({ bytes: blob.bytes, mimeType });
  const { organizationId, documentId } = upload;
  const source = {
    sourceId: newId('src'),
    organizationId,
    documentId,
    fileName: upload.fileName ?? `upload.${ENDINGS[mimeType] ?? 'bin'}`,
  };
  const stored = {
    sha256: sha256(blob.bytes),
    mimeType,
    byteSize: blob.bytes.length,
    blobKey: upload.blobKey!,
  };
  await transaction(async (tx) => {
    await takeUpload(tx, ref);
    await addKnowledgeSource(tx, jobs, scope, source, stored);
  });
  return source.sourceId;
}

const ENDINGS: Record<string, string> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

/** Without a place in the request, that of the upload URL applies. */
function requireSamePlace(upload: UploadRow, { organizationId, documentId }: MemoryPlace): void {
  const isOther =
    (organizationId !== undefined && organizationId !== upload.organizationId) ||
    (documentId !== undefined && documentId !== upload.documentId);
  if (isOther) {
    throw permissionDenied(
      'The upload URL was asked for another organization or document than the source is for.',
    );
  }
}
