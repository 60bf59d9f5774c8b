import type { Generated } from 'kysely';
import type { Fields } from '../../lib/json.ts';
import type { User } from '../../shapes/user.ts';

export interface JudgmentTables {
  judgments: {
    apiKeyId: string;
    judgmentId: string;
    /** Empty where it is of none; so is the document. */
    organizationId: string;
    documentId: string;
    annotationId: string | null;
    /** Of one that a comment left behind. */
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
    /** A tsvector of our own words, see `lib/search-words.ts`; written with the vectors. */
    reviewWords: string | null;
    contentWords: string | null;
    /** The model of its vectors; empty while it waits for them. */
    embeddedWith: Generated<string>;
    /** Until when a process makes its vectors, so that no other does; epoch milliseconds. */
    claimedUntil: Generated<number>;
    /** The transaction that wrote last what a search looks at, as a number; a trigger sees to it. */
    changed: Generated<string>;
  };
  /** Judgments that are gone, so that a copy of them elsewhere can follow. */
  judgmentDeletions: {
    apiKeyId: string;
    judgmentId: string;
    /** The transaction that took it away. */
    changed: string;
    deletedAt: number;
  };
  /** One row: deletions up to this transaction are no longer listed. */
  judgmentDeletionsFloor: {
    changed: string;
  };
  judgmentVectors: {
    apiKeyId: string;
    judgmentId: string;
    kind: 'review' | 'content';
    windowIndex: number;
    model: string;
    /** As `directionOf` writes it. */
    embedding: Uint8Array;
  };
}
