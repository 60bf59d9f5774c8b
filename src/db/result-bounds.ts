import type { Socket } from 'node:net';
import type pg from 'pg';

/** A statement answers with more than this process can hold beside all others. */
export class ResultTooLarge extends Error {
  override name = 'ResultTooLarge';
}

interface Bounds {
  /** Bytes of one result, as they come over the wire. */
  ofOne: number;
  /** Bytes of all results that are being received. */
  ofAll: number;
}

const MIB = 1_048_576;
/** An editor of the size that is allowed comes as twice as many hexadecimal digits, beside its last updates. */
const BY_DEFAULT: Bounds = { ofOne: 64 * MIB, ofAll: 256 * MIB };

/** Tells why a connection was given up, once it was. */
export type GivenUp = () => ResultTooLarge | undefined;

/** Answers what bounds the results of a connection: one that grows too large is given up, with its connection. */
export function boundResults({ ofOne, ofAll }: Bounds = BY_DEFAULT): (client: pg.PoolClient) => GivenUp {
  let total = 0;
  return (client) => {
    // The driver has this field, and its types leave it out.
    const { connection } = client as pg.PoolClient & {
      connection: NodeJS.EventEmitter & { stream: Socket };
    };
    const { stream } = connection;
    let bytes = 0;
    let givenUp: ResultTooLarge | undefined;
    const forget = () => {
      total -= bytes;
      bytes = 0;
    };
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      total += chunk.length;
      if (bytes > ofOne || (total > ofAll && bytes > ofOne / 8)) {
        givenUp ??= new ResultTooLarge('A statement answers with more than may be held in memory.');
        stream.destroy(givenUp);
      }
    });
    connection.on('readyForQuery', forget);
    stream.once('close', forget);
    return () => givenUp;
  };
}
