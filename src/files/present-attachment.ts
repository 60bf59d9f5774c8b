import type { AttachmentLink } from '../annotations/attachment-record.ts';
import type { StoredAttachment } from '../shapes/annotations/attachment.ts';
import type { AttachmentRow } from '../store/attachments/attachments.ts';

/** The record on the wire of an attachment of a document. */
export const presentAttachment = (row: AttachmentRow, link: AttachmentLink): StoredAttachment => ({
  attachmentId: row.attachmentId,
  organizationId: row.organizationId,
  documentId: row.documentId!,
  ...(row.annotationId !== null &&
    row.commentId !== null && { annotationId: row.annotationId, commentId: row.commentId }),
  status: row.commentId !== null ? 'attached' : row.uploadedAt !== null ? 'uploaded' : 'announced',
  fileName: row.fileName,
  mimeType: row.mimeType,
  size: row.byteSize,
  ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
  ...(row.uploaderId !== null && { uploaderId: row.uploaderId }),
  createdAt: row.createdAt,
  ...(row.uploadedAt !== null && link(row.attachmentId)),
});
