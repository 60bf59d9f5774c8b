import { createDecoder, readVarString, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import { type OpenEditor, STORED } from '../document/open-editor.ts';
import type { Session } from '../protocol/session.ts';

/** Awareness states of an editor's clients, with the user that owns each client. */
export interface AwarenessMessage {
  owners: ReadonlyMap<number, string>;
  /** As y-protocols encodes it. */
  update: Uint8Array;
}

export function packAwareness({ owners, update }: AwarenessMessage): Uint8Array {
  const encoder = createEncoder();
  writeVarUint(encoder, owners.size);
  for (const [clientId, userId] of owners) {
    writeVarUint(encoder, clientId);
    writeVarString(encoder, userId);
  }
  writeVarUint8Array(encoder, update);
  return toUint8Array(encoder);
}

export function unpackAwareness(bytes: Uint8Array): AwarenessMessage {
  const decoder = createDecoder(bytes);
  const owners = new Map<number, string>();
  for (let left = readVarUint(decoder); left > 0; left--) {
    owners.set(readVarUint(decoder), readVarString(decoder));
  }
  return { owners, update: readVarUint8Array(decoder) };
}

/** The states of some clients of an editor, as other processes need them. */
export function awarenessOf({ document, owners }: OpenEditor, clientIds: number[]): AwarenessMessage {
  const owned = clientIds.flatMap((clientId) => {
    const userId = owners.get(clientId);
    return userId === undefined ? [] : [[clientId, userId] as const];
  });
  return { owners: new Map(owned), update: encodeAwarenessUpdate(document.awareness, clientIds) };
}

/** Applies states from elsewhere, without sending them on. */
export function applyAwareness({ owners, document }: OpenEditor, message: AwarenessMessage): void {
  for (const [clientId, userId] of message.owners) owners.set(clientId, userId);
  applyAwarenessUpdate(document.awareness, message.update, STORED);
}

/** Calls back with the clients whose state changed over a connection of this process, and tracks their owners. */
export function onOwnAwareness(editor: OpenEditor, onChange: (clientIds: number[]) => void): void {
  editor.document.awareness.on(
    'update',
    (change: { added: number[]; updated: number[]; removed: number[] }, origin: unknown) => {
      for (const clientId of change.removed) editor.owners.delete(clientId);
      if (origin === STORED) return;
      const userId = userOf(origin);
      if (userId !== undefined) {
        for (const clientId of [...change.added, ...change.updated]) editor.owners.set(clientId, userId);
      }
      onChange([...change.added, ...change.updated, ...change.removed]);
    },
  );
}

const userOf = (origin: unknown): string | undefined =>
  (origin as { connection?: { context: Session } } | null)?.connection?.context.user?.userId;
