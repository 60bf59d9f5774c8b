import { authTokenIdOf } from '../../access/user-token.ts';
import { organizationKey, type Standing } from '../../store/live/stream-credentials.ts';
import type { Judge } from './event-visibility.ts';
import type { EndReason } from './stream.ts';
import { isUser, type Viewer } from './viewer.ts';

/** Why a stream must end now; undefined where it may go on. */
export async function verdictOnStream(
  viewer: Viewer,
  standing: Standing,
  judge: Judge,
): Promise<EndReason | undefined> {
  const { apiKeyId, authTokenId, organizationId, documentId } = viewer;
  const hashes = standing.tokenHashes.get(apiKeyId) ?? [];
  if (!hashes.some((hash) => authTokenIdOf(hash) === authTokenId)) return 'token';
  if (!isUser(viewer)) return undefined;
  if (viewer.user.expiresAt <= Date.now()) return 'token';
  if (standing.organizations.get(organizationKey(viewer))?.disabled !== false) return 'organization';
  if (documentId === undefined) return undefined;
  return (await judge.mayRead(viewer, { organizationId, documentId }, Date.now())) ? undefined : 'document';
}
