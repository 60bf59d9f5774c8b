import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Keyring } from '../../lib/crypto.ts';

/** A place in the row of events. */
export interface Position {
  seq: number;
  /** When that was where the events ended, or the event happened to come, in epoch milliseconds. */
  at: number;
}

export interface PositionIds {
  /** The same position has the same id on every node. */
  idOf(position: Position): string;
  /** Undefined for whatever is no id of this API key. */
  read(id: string): Position | undefined;
}

/** Six bytes each of number and time, and four that are nought in every id of ours. */
const BYTES = 16;
const NUMBER_BYTES = 6;
const ID = /^[\w-]{22}$/;

/**
 * The ids that clients resume by. Numbers are given to all tenants in one row, so that they would tell how much
 * others do: each id is one block of AES-256 under a key of the API key, with neither order nor distance to be
 * seen. A single block that is different each time needs no mode of operation.
 */
export function positionIds(keyring: Keyring, apiKeyId: string): PositionIds {
  const key = keyring.derive(`live positions of ${apiKeyId}`);
  return {
    idOf({ seq, at }) {
      const block = Buffer.alloc(BYTES);
      block.writeUIntBE(seq, 0, NUMBER_BYTES);
      block.writeUIntBE(at, NUMBER_BYTES, NUMBER_BYTES);
      return createCipheriv('aes-256-ecb', key, null)
        .setAutoPadding(false)
        .update(block)
        .toString('base64url');
    },
    read(id) {
      if (!ID.test(id)) return undefined;
      const sealed = Buffer.from(id, 'base64url');
      const block = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(sealed);
      if (block.length !== BYTES || block.readUInt32BE(2 * NUMBER_BYTES) !== 0) return undefined;
      return {
        seq: block.readUIntBE(0, NUMBER_BYTES),
        at: block.readUIntBE(NUMBER_BYTES, NUMBER_BYTES),
      };
    },
  };
}
