import type { Keyring } from '../../lib/crypto.ts';
import { openCursor, type Position, sealCursor } from '../../lib/cursor.ts';
import { ApiError, invalidRequest } from '../../lib/errors.ts';

/** Rows next to a place, the nearest first: behind it, or before it. Without a place, from the beginning. */
export interface TwoWayWindow {
  from: Position | undefined;
  direction: 'forward' | 'backward';
  limit: number;
}

export interface TwoWayPage<Row> {
  rows: Row[];
  /** Leads on; null at the end. */
  iterator: string | null;
  /** Leads back; null at the beginning. */
  prevIterator: string | null;
  done: boolean;
}

/**
 * One page of a list that can be walked in both directions. Both cursors are sent back as `iterator`;
 * `list` names the list and whose it is, so that a cursor of another one does not open.
 */
export async function twoWayPage<Row>(
  keyring: Keyring,
  list: readonly string[],
  { iterator, limit }: { iterator?: string | undefined; limit: number },
  select: (window: TwoWayWindow) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<TwoWayPage<Row>> {
  const [direction, ...position] = iterator === undefined ? ['forward'] : open(keyring, list, iterator);
  const isBack = direction === 'backward';
  const from = iterator === undefined ? undefined : position;
  const found = await select({ from, direction: isBack ? 'backward' : 'forward', limit: limit + 1 });
  // Nothing is left before that place, so this is the beginning.
  if (isBack && found.length === 0) return twoWayPage(keyring, list, { limit }, select, positionOf);

  const hasMore = found.length > limit;
  const rows = isBack ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const cursor = (way: TwoWayWindow['direction'], row: Row | undefined) =>
    row === undefined ? null : sealCursor(keyring, list, [way, ...positionOf(row)]);
  const next = isBack || hasMore ? cursor('forward', rows.at(-1)) : null;
  const back = isBack ? hasMore : from !== undefined;
  return {
    rows,
    iterator: next,
    // Behind the last row there may be none by now; the way back then begins where the cursor stood.
    prevIterator: back ? (cursor('backward', rows[0]) ?? sealBack(keyring, list, position)) : null,
    done: next === null,
  };
}

const sealBack = (keyring: Keyring, list: readonly string[], position: Position): string =>
  sealCursor(keyring, list, ['backward', ...position]);

function open(keyring: Keyring, list: readonly string[], iterator: string): Position {
  try {
    return openCursor(keyring, list, iterator);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalidRequest([{ path: ['iterator'], code: 'cursor', message: 'iterator is not valid.' }]);
  }
}
