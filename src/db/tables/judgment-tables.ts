import type { Generated } from 'kysely';
import type { Fields } from '../../lib/json.ts';
import type { User } from '../../shapes/user.ts';

export interface JudgmentTables {
  judgments: {
    apiKeyId: string;
    judgmentId: string;
    /** Empty if it belongs to no organization; the same applies to the document. */
    organizationId: string;
    documentId: string;
    annotationId: string | null;
    /** The comment that the judgment was made from. */
    commentId: number | null;
    origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
    decision: string;
    reasoning: string;
    content: string | null;
    contentType: string | null;
    /** 0 to 1. */
    confidence: number | null;
    judgeType: 'human' | 'agent';
    reviewerId: string;
    actionUser: User;
    agent: Fields | null;
    createdAt: number;
    recordedAt: number;
    /** A tsvector of words as `lib/text/search-words.ts` splits them; written together with the vectors. */
    reviewWords: string | null;
    contentWords: string | null;
    /** The model of its vectors; empty while it waits for them. */
    embeddedWith: Generated<string>;
    /** Lease of the process that computes its vectors; epoch milliseconds. */
    claimedUntil: Generated<number>;
    /** Number of the last transaction that wrote a column that searches read; set by a trigger. */
    changed: Generated<string>;
  };
  /** Tombstones: deleted judgments, so that copies in other processes can follow. */
  judgmentDeletions: {
    apiKeyId: string;
    judgmentId: string;
    /** Number of the transaction that deleted it. */
    changed: string;
    deletedAt: number;
  };
  /** One row: tombstones up to this transaction have been removed. */
  judgmentDeletionsFloor: {
    changed: string;
  };
  judgmentVectors: {
    apiKeyId: string;
    judgmentId: string;
    kind: 'review' | 'content';
    windowIndex: number;
    model: string;
    /** In the format of `directionOf`. */
    embedding: Uint8Array;
  };
}
