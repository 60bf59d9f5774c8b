import type { Keyring } from './crypto.ts';
import { invalidArgument } from './errors.ts';

/**
 * Keyset values of a row, at which a page ends. Sealed in page tokens, so that callers can neither read nor forge them.
 */
export type Position = (string | number)[];

/** Seals a position as a page token for one list of one tenant. */
export const sealCursor = (keyring: Keyring, list: readonly string[], position: Position): string =>
  Buffer.from(keyring.seal(JSON.stringify(position), ['cursor', ...list])).toString('base64url');

/** Opens a page token. Throws INVALID_ARGUMENT if it was not created for this list and tenant. */
export function openCursor(keyring: Keyring, list: readonly string[], pageToken: string): Position {
  try {
    const bytes = Buffer.from(pageToken, 'base64url');
    // Decoding ignores invalid characters, so a modified token is detected by encoding it again.
    if (bytes.toString('base64url') !== pageToken) throw new Error('Not a token.');
    const sealed = bytes.toString('utf8');
    return JSON.parse(keyring.open(sealed, ['cursor', ...list])) as Position;
  } catch {
    throw invalidArgument('pageToken is not valid.');
  }
}

interface PageRequest {
  keyring: Keyring;
  /** Identifies the list and its tenant: tokens of other lists are rejected. */
  list: readonly string[];
  pageToken: string | undefined;
  pageSize: number;
}

/**
 * Reads one page of a list by keyset pagination. `select` gets the position of the previous page's last row and reads
 * one row more than the page size, which shows if there is a next page.
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
