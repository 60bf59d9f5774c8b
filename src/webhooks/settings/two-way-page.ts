import type { Keyring } from '../../lib/crypto.ts';
import { openCursor, type Position, sealCursor } from '../../lib/cursor.ts';
import { ApiError, invalidRequest } from '../../lib/errors.ts';

/** A page of rows after or before a position, nearest first. Without a position it starts at the beginning. */
export interface TwoWayWindow {
  from: Position | undefined;
  direction: 'forward' | 'backward';
  limit: number;
}

export interface TwoWayPage<Row> {
  rows: Row[];
  /** Cursor of the next page; null at the end. */
  iterator: string | null;
  /** Cursor of the previous page; null at the beginning. */
  prevIterator: string | null;
  done: boolean;
}

/**
 * One page of a list that is walked in both directions (keyset pagination). Callers send either cursor back as
 * `iterator`. `list` names the list and its owner, so that a cursor of another list is refused.
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
  // Nothing precedes the position, so the first page is returned.
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
    // The page after the last row may be empty by now; going back then starts at the cursor's own position.
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
