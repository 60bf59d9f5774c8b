import { createDecoder, readVarString, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';

/** States of an editor's clients, and which user speaks for each of them. */
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
