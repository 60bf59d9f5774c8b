import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { permissionDenied } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { LINK_REFUSED, type LinkPurpose, type LinkTarget, readLink } from '../lib/links/signed-links.ts';
import type { BlobStore } from '../outside/storage/blob-store.ts';

/** A signed link to a file, as a request carries it. */
export interface FileLink {
  id: string;
  query: Fields;
}

export interface FileLinkDeps {
  db: Db;
  keyring: Keyring;
  outside: { blobs: BlobStore };
  storage: { requireRoom(apiKeyId: string, bytes: number): void };
}

export const ALREADY_UPLOADED = 'A file came over this link already.';

/** Throws PERMISSION_DENIED unless a link is valid: one message for every cause, so that answers do not help guessing. */
export function requireLink(
  keyring: Keyring,
  { id, query }: FileLink,
  purposes: readonly LinkPurpose[],
): LinkTarget {
  const target = readLink(keyring, id, query);
  if (!target || !purposes.includes(target.purpose)) throw permissionDenied(LINK_REFUSED);
  return target;
}
