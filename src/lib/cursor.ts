import type { Keyring } from './crypto.ts';
import { invalidArgument } from './errors.ts';

/** A place in a list as its keyset values; sealed, so that a caller can neither read nor make one. */
export type Position = (string | number)[];

/** Turns a position into a page token for one list of one tenant. */
export const sealCursor = (keyring: Keyring, list: readonly string[], position: Position): string =>
  Buffer.from(keyring.seal(JSON.stringify(position), ['cursor', ...list])).toString('base64url');

/** The position a page token holds; INVALID_ARGUMENT for any that was not made for this list and tenant. */
export function openCursor(keyring: Keyring, list: readonly string[], pageToken: string): Position {
  try {
    const bytes = Buffer.from(pageToken, 'base64url');
    // Decoding passes over whatever is not of its alphabet, and a token that was touched is not ours.
    if (bytes.toString('base64url') !== pageToken) throw new Error('Not a token.');
    const sealed = bytes.toString('utf8');
    return JSON.parse(keyring.open(sealed, ['cursor', ...list])) as Position;
  } catch {
    throw invalidArgument('pageToken is not valid.');
  }
}

interface PageRequest {
  keyring: Keyring;
  /** Names the list and whose it is, so that a token of another list does not open. */
  list: readonly string[];
  pageToken: string | undefined;
  pageSize: number;
}

/**
 * One page of a list by keyset pagination. `select` gets the position of the last row of the page before and reads one
 * row more than a page holds, which tells whether there is a next page.
 */
export async function pageOf<Row>(
  { keyring, list, pageToken, pageSize }: PageRequest,
  select: (page: { after: Position | undefined; limit: number }) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const after = pageToken === undefined ? undefined : openCursor(keyring, list, pageToken);
  const found = await select({ after, limit: pageSize + 1 });
  const last = found.length > pageSize ? found[pageSize - 1] : undefined;
  return { rows: found.slice(0, pageSize), next: last && sealCursor(keyring, list, positionOf(last)) };
}
