import type { Generated } from 'kysely';

interface EditorKey {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  editorId: string;
}

export interface LiveTables {
  crdtEditors: EditorKey & {
    /** Random for each creation, which distinguishes a deleted editor from its successor. */
    incarnation: string;
    /** As the API's caller declared it; null if live clients created the editor. */
    type: 'text' | 'map' | 'array' | 'xml' | null;
    contentKey: string | null;
    /** The compacted state, as one Yjs update (V1); null before the first compaction. */
    snapshot: Uint8Array | null;
    /** Number of compactions. */
    snapshotVersion: number;
    createdAt: number;
    /** Time of the last update in the snapshot; `crdt_updates` may hold later ones. */
    lastUpdate: number;
    lastUpdatedBy: string | null;
    sessionId: string | null;
    /** Time since which there are updates that are neither compacted nor announced by an event. */
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
    /** Ids of the Yjs clients that had written in it. */
    clientIds: number[];
    deletedAt: number;
  };
  liveEvents: {
    apiKeyId: string;
    organizationId: string;
    /** Increases in the order of commits. */
    seq: number;
    /** Null if the event concerns the organization as a whole. */
    documentId: string | null;
    /** The event in the outbox, which has the content. */
    eventId: string;
    name: string;
    /** Time at which it was numbered, which may be later than the event. */
    createdAt: number;
  };
}
