import { createDecoder, hasContent, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarUint8Array } from 'lib0/encoding';

/**
 * Concatenates updates of a document, each preceded by its length as a variable-length integer. Two such lists can be
 * concatenated into one.
 */
export function packUpdates(updates: readonly Uint8Array[]): Uint8Array {
  const encoder = createEncoder();
  for (const update of updates) writeVarUint8Array(encoder, update);
  return toUint8Array(encoder);
}

/** The updates of a packed list, as views of its bytes. */
export function unpackUpdates(list: Uint8Array): Uint8Array[] {
  const decoder = createDecoder(list);
  const updates: Uint8Array[] = [];
  while (hasContent(decoder)) updates.push(readVarUint8Array(decoder));
  return updates;
}
