import { randomUUID } from 'node:crypto';
import type { Document, TransactionOrigin } from '@hocuspocus/server';
import { applyUpdate, type Doc } from 'yjs';
import type { EditorKey, StoredEditor } from '../../store/live/crdt-log.ts';
import { updatesOf } from './stored-content.ts';

/** An editor whose content is in the memory of this process. */
export interface OpenEditor {
  readonly key: EditorKey;
  /** The key as one string. */
  readonly id: string;
  readonly document: Document;
  /** Tells editors of the same name apart, before and after a deletion; null until something is stored. */
  incarnation: string | null;
  /** The incarnation that the first stored update creates. */
  readonly newIncarnation: string;
  /** Tombstones: Yjs clients whose updates belong to a deleted editor of this name. */
  deletedClients: ReadonlySet<number>;
  /** User ids by the Yjs client that they own in the awareness, over all processes. */
  readonly owners: Map<number, string>;
  /** Upper bound of the content's bytes. */
  bytes: number;
  /** Updates in a row that depend on updates which have not arrived, and the bytes that Yjs keeps of them. */
  pendingUpdates: number;
  pendingBytes: number;
  /** Resolves when a large update is applied in parts. Until then nothing may read or write the document. */
  applying: Promise<void> | undefined;
  /** The editor was deleted or lost: nothing may be written to it any more. */
  isGone: boolean;
}

/**
 * Origin of changes that are stored already, so that neither this process nor Hocuspocus stores them again.
 * Hocuspocus knows it as the origin of changes from another process.
 */
export const STORED: TransactionOrigin = { source: 'redis' };

/** Origin of changes over REST. */
export const BACKEND: TransactionOrigin = { source: 'local', skipStoreHooks: true };

export const idOfEditor = ({ apiKeyId, organizationId, documentId, editorId }: EditorKey): string =>
  JSON.stringify([apiKeyId, organizationId, documentId, editorId]);

export const newOpenEditor = (key: EditorKey, document: Document): OpenEditor => ({
  key,
  id: idOfEditor(key),
  document,
  incarnation: null,
  newIncarnation: randomUUID(),
  deletedClients: new Set(),
  owners: new Map(),
  bytes: 0,
  pendingUpdates: 0,
  pendingBytes: 0,
  applying: undefined,
  isGone: false,
});

/** Applies stored updates in one transaction; known updates change nothing. */
export function applyUpdates(document: Doc, updates: readonly Uint8Array[]): void {
  // In a local transaction Yjs does not clean up formatting, which would write.
  document.transact(() => {
    for (const update of updates) applyUpdate(document, update, STORED);
  }, STORED);
}

export const applyStored = (document: Doc, stored: StoredEditor): void =>
  applyUpdates(document, updatesOf(stored));

export const storedBytes = ({ snapshot, updates }: StoredEditor): number =>
  (snapshot?.length ?? 0) + (updates?.length ?? 0);
