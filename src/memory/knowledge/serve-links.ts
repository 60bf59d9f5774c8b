import { ALREADY_UPLOADED, type FileLink, type FileLinkDeps, requireLink } from '../../files/file-links.ts';
import { deleteFile, putFile } from '../../files/stored-files.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { failedPrecondition, invalidArgument, notFound, permissionDenied } from '../../lib/errors.ts';
import { LINK_MS, LINK_REFUSED, type LinkPurpose, signedQuery } from '../../lib/links/signed-links.ts';
import {
  getKnowledgeSource,
  type KnowledgeSource,
  knowledgeText,
} from '../../store/knowledge/knowledge-sources.ts';
import { fillUpload, getUpload, type UploadRow } from '../../store/knowledge/knowledge-uploads.ts';

export const FILES_PATH = '/v2/memory/knowledge/files';
export const UPLOADS_PATH = '/v2/memory/knowledge/uploads';

/** Download links of a source, valid for 15 minutes: the original file and its Markdown. */
export function downloadLinks(
  keyring: Keyring,
  origin: string,
  apiKeyId: string,
  { sourceId: id }: Pick<KnowledgeSource, 'sourceId'>,
): { originalDownloadUrl: string; canonicalMdDownloadUrl: string } {
  const expiresAt = Date.now() + LINK_MS;
  const link = (purpose: LinkPurpose) =>
    `${origin}${FILES_PATH}/${id}?${signedQuery(keyring, { apiKeyId, id, purpose }, expiresAt)}`;
  return { originalDownloadUrl: link('original'), canonicalMdDownloadUrl: link('markdown') };
}

export const uploadLink = (
  keyring: Keyring,
  origin: string,
  apiKeyId: string,
  { uploadId: id, expiresAt }: { uploadId: string; expiresAt: number },
): string =>
  `${origin}${UPLOADS_PATH}/${id}?${signedQuery(keyring, { apiKeyId, id, purpose: 'upload' }, expiresAt)}`;

export async function downloadLinked(
  link: FileLink,
  { db, keyring, outside }: FileLinkDeps,
): Promise<{ bytes: Uint8Array; mimeType: string; name: string }> {
  const target = requireLink(keyring, link, ['original', 'markdown']);
  const source = await getKnowledgeSource(db, target, target.id);
  if (!source) throw notFound('The file is not kept any more.');
  if (target.purpose === 'original') {
    const blob = await outside.blobs.get(source.blobKey);
    if (!blob) throw notFound('The file is not kept any more.');
    return { bytes: blob.bytes, mimeType: source.mimeType, name: source.fileName };
  }
  const text = await knowledgeText(db, target, target.id);
  if (text === undefined) throw notFound('The source contains no text.');
  return {
    bytes: Buffer.from(text),
    mimeType: 'text/markdown; charset=utf-8',
    name: `${source.fileName.replace(/\.\w{1,5}$/, '')}.md`,
  };
}

/** Checks an upload before its body is read. */
export async function admitUpload(
  link: FileLink,
  file: { mimeType: string; byteSize: number | undefined },
  { db, keyring, storage }: FileLinkDeps,
): Promise<undefined> {
  const { apiKeyId, id: uploadId } = requireLink(keyring, link, ['upload']);
  storage.requireRoom(apiKeyId, file.byteSize ?? 0);
  const upload = await getUpload(db, { apiKeyId, uploadId });
  if (!upload) throw permissionDenied(LINK_REFUSED);
  if (upload.blobKey !== null || upload.ingestedAt !== null) throw failedPrecondition(ALREADY_UPLOADED);
  if (file.mimeType.trim().toLowerCase() !== upload.mimeType) {
    throw invalidArgument(`The content-type header must be ${upload.mimeType}, as it was announced.`);
  }
  if (file.byteSize !== undefined) requireSize(upload, file.byteSize);
  return undefined;
}

function requireSize({ byteSize }: UploadRow, sent: number): void {
  if (sent !== byteSize) {
    throw invalidArgument(`The file has ${sent} bytes, and not the ${byteSize} that were announced.`);
  }
}

/** Stores an upload that `admitUpload` let through. */
export async function receiveUpload(
  link: FileLink,
  bytes: Uint8Array,
  { db, keyring, outside }: FileLinkDeps,
): Promise<void> {
  const { apiKeyId, id: uploadId } = requireLink(keyring, link, ['upload']);
  const ref = { apiKeyId, uploadId };
  const upload = await getUpload(db, ref);
  if (!upload) throw permissionDenied(LINK_REFUSED);
  requireSize(upload, bytes.length);
  const blobKey = await putFile(db, outside.blobs, ref, {
    bytes,
    mimeType: upload.mimeType,
    folder: 'knowledge',
  });
  if (await fillUpload(db, ref, blobKey)) return;
  await deleteFile(db, outside.blobs, ref, blobKey);
  throw failedPrecondition(ALREADY_UPLOADED);
}
