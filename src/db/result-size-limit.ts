import type { Socket } from 'node:net';
import type pg from 'pg';

/** The result of a statement is larger than this process may keep in memory. */
export class ResultTooLarge extends Error {
  override name = 'ResultTooLarge';
}

interface SizeLimits {
  /** Bytes of one result on the wire. */
  oneResult: number;
  /** Bytes of all results that are being received. */
  allResults: number;
}

const MIB = 1_048_576;
/**
 * The largest allowed editor arrives as twice as many hexadecimal digits, together with its latest updates.
 */
const DEFAULT_LIMITS: SizeLimits = { oneResult: 64 * MIB, allResults: 256 * MIB };

/** The error for which a connection was destroyed; undefined if it was not. */
export type FailureOf = () => ResultTooLarge | undefined;

/**
 * Limits the size of results in memory. Returns a function that watches a connection, and destroys it when a result
 * grows too large.
 */
export function limitResultSize({
  oneResult,
  allResults,
}: SizeLimits = DEFAULT_LIMITS): (client: pg.PoolClient) => FailureOf {
  let total = 0;
  return (client) => {
    // The driver's types lack this field.
    const { connection } = client as pg.PoolClient & {
      connection: NodeJS.EventEmitter & { stream: Socket };
    };
    const { stream } = connection;
    let bytes = 0;
    let failure: ResultTooLarge | undefined;
    const forget = () => {
      total -= bytes;
      bytes = 0;
    };
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      total += chunk.length;
      if (bytes > oneResult || (total > allResults && bytes > oneResult / 8)) {
        failure ??= new ResultTooLarge('A statement answers with more than may be held in memory.');
        stream.destroy(failure);
      }
    });
    connection.on('readyForQuery', forget);
    stream.once('close', forget);
    return () => failure;
  };
}
