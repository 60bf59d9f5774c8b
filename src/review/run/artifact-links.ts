import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { notFound, permissionDenied } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { LINK_REFUSED, readLink, shownLinkEnd, signedQuery } from '../../lib/links/signed-links.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { getArtifact } from '../../store/agents/artifacts.ts';

export const ARTIFACTS_PATH = '/v2/agents/execution/files';

/** The link to an artifact. */
export type ArtifactLink = (artifactId: string) => string;

/** Makes links to artifacts of an API key's runs, valid for 45 to 60 minutes without credentials. */
export function artifactLinks(
  keyring: Keyring,
  origin: () => string,
  apiKeyId: string,
  now = Date.now(),
): ArtifactLink {
  const expiresAt = shownLinkEnd(now);
  return (id) =>
    `${origin()}${ARTIFACTS_PATH}/${encodeURIComponent(id)}?${signedQuery(keyring, { apiKeyId, id, purpose: 'artifact' }, expiresAt)}`;
}

export async function downloadArtifact(
  { id, query }: { id: string; query: Fields },
  { db, keyring, outside }: { db: Db; keyring: Keyring; outside: { blobs: BlobStore } },
): Promise<{ bytes: Uint8Array; mimeType: string; name: string }> {
  const target = readLink(keyring, id, query);
  if (target?.purpose !== 'artifact') throw permissionDenied(LINK_REFUSED);
  const artifact = await getArtifact(db, target, id);
  const blob = artifact && (await outside.blobs.get(artifact.blobKey));
  if (!artifact || !blob) throw notFound('The file is not kept any more.');
  return { bytes: blob.bytes, mimeType: artifact.mimeType, name: artifact.name };
}
