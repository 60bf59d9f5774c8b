import type { Generated } from 'kysely';

export interface KnowledgeTables {
  knowledgeContents: {
    apiKeyId: string;
    contentId: string;
    /** SHA-256 of the uploaded file, in hex. */
    sha256: string;
    mimeType: string;
    byteSize: number;
    /** Key of the file in the blob store. */
    blobKey: string;
    status: 'processing' | 'completed' | 'failed';
    failureReason: string | null;
    /** A sentence for the caller. */
    failureMessage: string | null;
    /** The process that works on it; empty if there is none. */
    heldBy: Generated<string>;
    /** Time of the next attempt, while it is processed. */
    dueAt: number;
    attempts: Generated<number>;
    kind: 'rules' | 'prose' | null;
    version: Generated<number>;
    /** The text of the file; null until it is read. */
    markdown: string | null;
    /** Omitted parts of the file, as sentences. */
    notes: Generated<string[]>;
    ruleCount: Generated<number>;
    chunkCount: Generated<number>;
    /** The model of its vectors. */
    embeddedWith: Generated<string>;
    createdAt: number;
    updatedAt: number;
  };
  knowledgeSources: {
    apiKeyId: string;
    sourceId: string;
    contentId: string;
    /** Empty if it belongs to no organization; the same applies to the document. */
    organizationId: string;
    documentId: string;
    fileName: string;
    /** The first source with the same file. */
    dedupOf: string | null;
    uploadedAt: number;
  };
  knowledgeItems: {
    apiKeyId: string;
    contentId: string;
    itemId: string;
    kind: 'chunk' | 'rule';
    /** Position within its kind, from 0. */
    position: number;
    /** The headings above a chunk, or the category of a rule. */
    heading: string | null;
    text: string;
    /** A tsvector of words as `lib/text/search-words.ts` splits them. */
    words: string;
  };
  knowledgeVectors: {
    apiKeyId: string;
    contentId: string;
    itemId: string;
    windowIndex: number;
    /** The kind of the item, so that a search need not read the item. */
    kind: 'chunk' | 'rule';
    model: string;
    /** In the format of `directionOf`. */
    embedding: Uint8Array;
  };
  knowledgeUploads: {
    apiKeyId: string;
    uploadId: string;
    organizationId: string;
    documentId: string;
    fileName: string | null;
    mimeType: string;
    byteSize: number;
    /** Null until the file is uploaded. */
    blobKey: string | null;
    createdAt: number;
    expiresAt: number;
    ingestedAt: number | null;
  };
  knowledgeTrash: {
    apiKeyId: string;
    blobKey: string;
    /** Time from which the file may be deleted. */
    dueAt: number;
  };
}
