import type { AttachmentLink } from '../annotations/attachment-record.ts';
import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { failedPrecondition, invalidArgument, notFound, permissionDenied } from '../lib/errors.ts';
import { LINK_REFUSED, shownLinkEnd, signedQuery } from '../lib/links/signed-links.ts';
import type { BlobStore } from '../outside/storage/blob-store.ts';
import {
  type AttachmentRow,
  fillAttachment,
  getAttachment,
  removeAttachments,
} from '../store/attachments/attachments.ts';
import { sentType, typeMismatch } from './file-formats.ts';
import { ALREADY_UPLOADED, type FileLink, type FileLinkDeps, requireLink } from './file-links.ts';
import { isShownPicture, type PictureSize, pictureSize } from './picture-size.ts';
import { deleteFile, putFile } from './stored-files.ts';

export const ATTACHMENT_FILES_PATH = '/v2/attachments/files';
export const ATTACHMENT_UPLOADS_PATH = '/v2/attachments/uploads';

/** Pixels of a picture; browsers decode four bytes for each. */
export const MAX_PIXELS = 100_000_000;

/** Makes links to the attachments of an API key, valid for 45 to 60 minutes without credentials. */
export function attachmentLinks(keyring: Keyring, origin: string, apiKeyId: string): AttachmentLink {
  const expiresAt = shownLinkEnd();
  return (id) => ({
    url: `${origin}${ATTACHMENT_FILES_PATH}/${id}?${signedQuery(keyring, { apiKeyId, id, purpose: 'attachment' }, expiresAt)}`,
    expiresAt,
  });
}

export const attachmentUploadLink = (
  keyring: Keyring,
  origin: string,
  apiKeyId: string,
  { attachmentId: id, uploadUntil }: { attachmentId: string; uploadUntil: number },
): string =>
  `${origin}${ATTACHMENT_UPLOADS_PATH}/${id}?${signedQuery(keyring, { apiKeyId, id, purpose: 'attachment-upload' }, uploadUntil)}`;

async function requireAnnounced(
  link: FileLink,
  { db, keyring }: Pick<FileLinkDeps, 'db' | 'keyring'>,
): Promise<AttachmentRow> {
  const { apiKeyId, id: attachmentId } = requireLink(keyring, link, ['attachment-upload']);
  const row = await getAttachment(db, { apiKeyId, attachmentId });
  if (!row) throw permissionDenied(LINK_REFUSED);
  if (row.blobKey !== null) throw failedPrecondition(ALREADY_UPLOADED);
  return row;
}

/** Checks an upload before its body is read. Returns the bytes that may be read. */
export async function admitAttachment(
  link: FileLink,
  file: { mimeType: string; byteSize: number | undefined },
  deps: FileLinkDeps,
): Promise<number> {
  const row = await requireAnnounced(link, deps);
  deps.storage.requireRoom(row.apiKeyId, row.byteSize);
  const [type = ''] = file.mimeType.split(';', 1);
  if (type.trim().toLowerCase() !== row.mimeType)
    throw invalidArgument(`The content-type header must be ${row.mimeType}, as it was announced.`);
  if (file.byteSize !== undefined) requireSize(row, file.byteSize);
  return row.byteSize;
}

function requireSize({ byteSize }: AttachmentRow, sent: number): void {
  if (sent !== byteSize)
    throw invalidArgument(`The file has ${sent} bytes, and not the ${byteSize} that were announced.`);
}

/** Throws INVALID_ARGUMENT unless the content is of the type. Returns the size of a picture that browsers show. */
function checkContent(mimeType: string, bytes: Uint8Array): PictureSize | undefined {
  const mismatch = typeMismatch(mimeType, bytes);
  if (mismatch !== undefined) throw invalidArgument(mismatch);
  if (!isShownPicture(mimeType)) return undefined;
  const size = pictureSize(mimeType, bytes);
  if (!size) throw invalidArgument(`The file is not a picture of the type ${mimeType} that can be read.`);
  if (size.width * size.height > MAX_PIXELS) {
    throw invalidArgument(
      `The picture has ${size.width} × ${size.height} pixels; at most ${MAX_PIXELS.toLocaleString('en')} are accepted.`,
    );
  }
  return size;
}

/** Stores an upload that `admitAttachment` let through. */
export async function receiveAttachment(
  link: FileLink,
  bytes: Uint8Array,
  deps: FileLinkDeps,
): Promise<void> {
  const { db, outside } = deps;
  const row = await requireAnnounced(link, deps);
  requireSize(row, bytes.length);
  const size = checkContent(row.mimeType, bytes);
  const blobKey = await putFile(db, outside.blobs, row, {
    bytes,
    mimeType: row.mimeType,
    folder: 'attachments',
  });
  const stored = { blobKey, width: size?.width ?? null, height: size?.height ?? null };
  if (await fillAttachment(db, row, stored)) return;
  await deleteFile(db, outside.blobs, row, blobKey);
  // The link ended meanwhile, the document was deleted, or another upload was faster.
  await requireAnnounced(link, deps);
  throw permissionDenied(LINK_REFUSED);
}

export async function downloadAttachment(
  link: FileLink,
  { db, keyring, outside }: FileLinkDeps,
): Promise<{ bytes: Uint8Array; mimeType: string; name: string; shows: boolean }> {
  const { apiKeyId, id: attachmentId } = requireLink(keyring, link, ['attachment']);
  const row = await getAttachment(db, { apiKeyId, attachmentId });
  const blob = row?.blobKey ? await outside.blobs.get(row.blobKey) : undefined;
  if (!row || !blob) throw notFound('The file is not kept any more.');
  return {
    bytes: blob.bytes,
    mimeType: sentType(row.mimeType),
    name: row.fileName,
    shows: isShownPicture(row.mimeType),
  };
}

/** Deletes the files of attachments that are gone or that no comment took. What fails is left to the trash. */
export async function deleteRemovedAttachments(db: Db, blobs: BlobStore, now: number): Promise<void> {
  for (const { apiKeyId, blobKey } of await removeAttachments(db, now)) {
    await deleteFile(db, blobs, { apiKeyId }, blobKey);
  }
}
