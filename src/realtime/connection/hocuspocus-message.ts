import { createDecoder, type Decoder, readVarString, readVarUint } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding';

/** Kinds of Hocuspocus messages that are checked on their way in or out. */
export const kinds = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  syncReply: 4,
  stateless: 5,
  close: 7,
  syncStatus: 8,
  ping: 9,
  pong: 10,
} as const;

/** Messages within a sync message (y-protocols/sync). */
export const syncKinds = { step1: 0, step2: 1, update: 2 } as const;

export interface Frame {
  /** The document's name, followed by a NUL and the client's session if there is one. */
  address: string;
  kind: number;
  /** Positioned after the kind. */
  rest: Decoder;
}

const MAX_ADDRESS_BYTES = 8_192;

/** Reads the head of a message. Throws if it is malformed. */
export function readFrame(data: Uint8Array): Frame {
  const rest = createDecoder(data);
  const length = readVarUint(rest);
  if (length > MAX_ADDRESS_BYTES || rest.pos + length > data.length) throw new Error('No address.');
  rest.pos = 0;
  const address = readVarString(rest);
  return { address, kind: readVarUint(rest), rest };
}

/**
 * True if an outgoing message confirms to its client that a change was saved. This runs for every message to every
 * client, so it reads as few bytes as possible.
 */
export function acknowledges(data: Uint8Array): boolean {
  const last = data.length - 1;
  if (data[last] !== 1 || data[last - 1] !== kinds.syncStatus) return false;
  const rest = createDecoder(data);
  const length = readVarUint(rest);
  return rest.pos + length === last - 1;
}

/** The message that a client's token does not open a document. */
export function refusalMessage(address: string, reason: string): Uint8Array {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  writeVarUint(encoder, kinds.auth);
  writeVarUint(encoder, 1);
  writeVarString(encoder, reason);
  return toUint8Array(encoder);
}
