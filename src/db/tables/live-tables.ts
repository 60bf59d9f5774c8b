import type { Generated } from 'kysely';

interface EditorKey {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  editorId: string;
}

export interface LiveTables {
  crdtEditors: EditorKey & {
    /** Made anew with each creation, so that one that was deleted meanwhile is told from its successor. */
    incarnation: string;
    /** As the API's caller declared it; null where live clients made the editor. */
    type: 'text' | 'map' | 'array' | 'xml' | null;
    contentKey: string | null;
    /** State that is folded together, as one Yjs update (V1); null before the first time. */
    snapshot: Uint8Array | null;
    /** Counts the times that it was folded. */
    snapshotVersion: number;
    createdAt: number;
    /** Time of the last update in the snapshot; `crdt_updates` may hold later ones. */
    lastUpdate: number;
    lastUpdatedBy: string | null;
    sessionId: string | null;
    /** Since when there are updates that were neither folded nor told of. */
    dirtySince: number | null;
  };
  crdtUpdates: EditorKey & {
    seq: Generated<number>;
    /** Several Yjs updates (V1), each preceded by its length as a variable-length integer. */
    payload: Uint8Array;
    userId: Generated<string | null>;
    sessionId: Generated<string | null>;
    createdAt: number;
  };
  crdtSnapshots: EditorKey & {
    snapshotId: string;
    name: string;
    /** One Yjs update (V1). */
    state: Uint8Array;
    createdAt: number;
    createdBy: string | null;
  };
  crdtDeletions: EditorKey & {
    /** Yjs client ids of everybody who had written in it. */
    clientIds: number[];
    deletedAt: number;
  };
  liveEvents: {
    apiKeyId: string;
    organizationId: string;
    /** Grows in the order of commits. */
    seq: number;
    /** Null of what concerns the organization as a whole. */
    documentId: string | null;
    /** The event in the outbox, which says what happened. */
    eventId: string;
    name: string;
    /** When it came here, which may be later than it happened. */
    createdAt: number;
  };
}
