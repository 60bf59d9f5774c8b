export interface AttachmentTables {
  attachments: {
    apiKeyId: string;
    attachmentId: string;
    organizationId: string;
    /** Null once the document is deleted. */
    documentId: string | null;
    /** The comment that holds it; null before that, and once the comment is deleted or holds it no longer. */
    annotationId: string | null;
    commentId: number | null;
    /** Null if an API key announced it. */
    uploaderId: string | null;
    fileName: string;
    mimeType: string;
    /** As announced, and checked when the file arrives. */
    byteSize: number;
    /** The size of a picture in pixels; null for other files. */
    width: number | null;
    height: number | null;
    /** Key of the file in the blob store; null until it is uploaded. */
    blobKey: string | null;
    createdAt: number;
    uploadUntil: number;
    uploadedAt: number | null;
    /** When a comment took it. */
    usedAt: number | null;
  };
}
