import { randomUUID } from 'node:crypto';
import type { Document, TransactionOrigin } from '@hocuspocus/server';
import { applyUpdate, type Doc } from 'yjs';
import type { EditorKey, StoredEditor } from '../../store/live/crdt-log.ts';
import { updatesOf } from './stored-content.ts';

/** An editor whose content this process holds in memory. */
export interface OpenEditor {
  readonly key: EditorKey;
  /** The key as one string. */
  readonly id: string;
  readonly document: Document;
  /** Which editor of this name it is; null as long as nothing of it was stored. */
  incarnation: string | null;
  /** Names it where its first update makes it. */
  readonly newIncarnation: string;
  /** Yjs clients whose updates belong to an editor of this name that was deleted. */
  deletedClients: ReadonlySet<number>;
  /** Who speaks for which Yjs client in its awareness: user ids, of clients of every process. */
  readonly owners: Map<number, string>;
  /** Bytes of its content; no less than it takes. */
  bytes: number;
  /** Updates so far that wait for others which did not come, and what they take. */
  stranded: number;
  strandedBytes: number;
  /** Resolves once a large update is applied, part after part; until then, nothing may read or write the document. */
  applying: Promise<void> | undefined;
  /** It was deleted, and nothing may be written in it any more. */
  isGone: boolean;
}

/**
 * Origin of changes that are stored already: neither this process nor the engine stores them again. The engine
 * knows it as that of changes which came from another process.
 */
export const STORED: TransactionOrigin = { source: 'redis' };

/** Origin of changes that a backend makes. */
export const BACKEND: TransactionOrigin = { source: 'local', skipStoreHooks: true };

export const idOf = ({ apiKeyId, organizationId, documentId, editorId }: EditorKey): string =>
  JSON.stringify([apiKeyId, organizationId, documentId, editorId]);

export const newOpenEditor = (key: EditorKey, document: Document): OpenEditor => ({
  key,
  id: idOf(key),
  document,
  incarnation: null,
  newIncarnation: randomUUID(),
  deletedClients: new Set(),
  owners: new Map(),
  bytes: 0,
  stranded: 0,
  strandedBytes: 0,
  applying: undefined,
  isGone: false,
});

/** Applies updates that are stored, in one transaction; what is there already changes nothing. */
export function applyUpdates(document: Doc, updates: readonly Uint8Array[]): void {
  // As a local transaction it keeps Yjs from cleaning up formatting, which would write.
  document.transact(() => {
    for (const update of updates) applyUpdate(document, update, STORED);
  }, STORED);
}

/** Applies everything that is stored of an editor. */
export const applyStored = (document: Doc, stored: StoredEditor): void =>
  applyUpdates(document, updatesOf(stored));

export const storedBytes = ({ snapshot, updates }: StoredEditor): number =>
  (snapshot?.length ?? 0) + (updates?.length ?? 0);
