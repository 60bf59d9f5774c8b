import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Keyring } from '../../lib/crypto.ts';

/** A place in the sequence of live events. */
export interface StreamPosition {
  seq: number;
  /** When this was the end of the events, or the event was created, in epoch milliseconds. */
  at: number;
}

export interface PositionIds {
  /** Deterministic, so that every node gives a position the same id. */
  idOf(position: StreamPosition): string;
  /** Undefined if it is not an id of this API key. */
  read(id: string): StreamPosition | undefined;
}

/** Six bytes each of number and time, and four zero bytes that authenticate the id. */
const BYTES = 16;
const NUMBER_BYTES = 6;
const ID = /^[\w-]{22}$/;

/**
 * The ids by which clients resume. Numbers are one sequence for all tenants and would reveal how active others are, so
 * an id is one AES-256 block under a key derived for the API key. A single, unique block needs no mode of operation.
 */
export function positionIds(keyring: Keyring, apiKeyId: string): PositionIds {
  const purpose = `live positions of ${apiKeyId}`;
  let current: { keyId: string; key: Buffer } | undefined;
  // An id is made for every event, so that the key is derived once.
  const currentKey = (): Buffer => {
    const keyId = keyring.currentKeyId;
    if (current?.keyId !== keyId) current = { keyId, key: keyring.derive(purpose) };
    return current.key;
  };
  return {
    idOf({ seq, at }) {
      const block = Buffer.alloc(BYTES);
      block.writeUIntBE(seq, 0, NUMBER_BYTES);
      block.writeUIntBE(at, NUMBER_BYTES, NUMBER_BYTES);
      return createCipheriv('aes-256-ecb', currentKey(), null)
        .setAutoPadding(false)
        .update(block)
        .toString('base64url');
    },
    read(id) {
      if (!ID.test(id)) return undefined;
      const sealed = Buffer.from(id, 'base64url');
      for (const key of keyring.deriveAll(purpose)) {
        const block = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(sealed);
        if (block.length !== BYTES || block.readUInt32BE(2 * NUMBER_BYTES) !== 0) continue;
        return {
          seq: block.readUIntBE(0, NUMBER_BYTES),
          at: block.readUIntBE(NUMBER_BYTES, NUMBER_BYTES),
        };
      }
      return undefined;
    },
  };
}
