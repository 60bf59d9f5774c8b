import type { Generated } from 'kysely';

export interface KnowledgeTables {
  knowledgeContents: {
    apiKeyId: string;
    contentId: string;
    /** Hash of the file as it was sent, in hex. */
    sha256: string;
    mimeType: string;
    byteSize: number;
    /** Where the file itself is kept. */
    blobKey: string;
    status: 'processing' | 'completed' | 'failed';
    failureReason: string | null;
    /** A sentence for the caller. */
    failureMessage: string | null;
    /** The process that works on it; empty if none does. */
    heldBy: Generated<string>;
    /** Time of the next attempt, while it is processed. */
    dueAt: number;
    attempts: Generated<number>;
    kind: 'rules' | 'prose' | null;
    version: Generated<number>;
    /** The text of the file; null until it is read. */
    markdown: string | null;
    /** Parts of the file that were left out, as sentences. */
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
    /** Empty where it is of none; so is the document. */
    organizationId: string;
    documentId: string;
    fileName: string;
    /** The source that was there first with the same file. */
    dedupOf: string | null;
    uploadedAt: number;
  };
  knowledgeItems: {
    apiKeyId: string;
    contentId: string;
    itemId: string;
    kind: 'chunk' | 'rule';
    /** From 0, within its kind. */
    position: number;
    /** The headings it stands under; of a rule, its category. */
    heading: string | null;
    text: string;
    /** A tsvector of our own words, see `lib/search-words.ts`. */
    words: string;
  };
  knowledgeVectors: {
    apiKeyId: string;
    contentId: string;
    itemId: string;
    windowIndex: number;
    /** That of the item, so that a search need not look at it. */
    kind: 'chunk' | 'rule';
    model: string;
    /** As `directionOf` writes it. */
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
    /** Null until the file is there. */
    blobKey: string | null;
    createdAt: number;
    expiresAt: number;
    ingestedAt: number | null;
  };
  knowledgeTrash: {
    apiKeyId: string;
    blobKey: string;
    /** From when on the file may go. */
    dueAt: number;
  };
}
