import type { Logger } from 'pino';
import { includesRole } from '../../access/member-roles.ts';
import { authTokenIdOf } from '../../access/user-token.ts';
import type { Database } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { MemberRole, TokenMaker } from '../../lib/scope.ts';
import {
  type Credentials,
  loadCredentials,
  makerKey,
  memberKey,
  organizationKey,
} from '../../store/live/stream-credentials.ts';
import type { EndReason, EventStream } from './event-stream.ts';
import type { EventVisibility } from './event-visibility.ts';
import type { Channel } from './organization-channel.ts';
import { isUser, type Viewer } from './stream-viewer.ts';
import { startTail, type Tail } from './tail-live-events.ts';

const BEAT_EVERY_MS = 1_000;
/** A stream ends at most twice this, and a little, after its right to the document ended. */
const CHECK_EVERY_MS = 1_500;

interface WatchDeps {
  database: Database;
  log: Logger;
  visibility: EventVisibility;
}

/** The background work for open streams: reading new events, heartbeats and checks of rights. */
export interface Watch {
  tail: Tail;
  stop(): Promise<void>;
}

/** Starts the background work for the streams of these channels. */
export async function startWatch(
  { database, log, visibility }: WatchDeps,
  channels: ReadonlyMap<string, Channel<EventStream>>,
): Promise<Watch> {
  const tail = await startTail({ database, log }, channels);
  const beat = setInterval(() => {
    for (const channel of channels.values()) {
      channel.forget();
      for (const stream of channel.streams) stream.beat();
    }
    visibility.forget();
  }, BEAT_EVERY_MS);
  const suspects = new WeakSet<EventStream>();
  let checking: Promise<void> | undefined;
  const checks = setInterval(() => {
    const streams = [...channels.values()].flatMap((channel) => [...channel.streams]);
    checking ??= endExpired(database.db, visibility, streams, suspects)
      .catch((error: unknown) => logFault(log, error, 'rights of live streams cannot be checked'))
      .finally(() => {
        checking = undefined;
      });
  }, CHECK_EVERY_MS);
  return {
    tail,
    async stop() {
      clearInterval(beat);
      clearInterval(checks);
      await Promise.all([tail.stop(), checking]);
    },
  };
}

/**
 * Ends streams whose token, organization or document is gone. `suspects` are the streams that had no right to their
 * document at the last check.
 */
async function endExpired(
  db: Db,
  visibility: EventVisibility,
  streams: EventStream[],
  suspects: WeakSet<EventStream>,
): Promise<void> {
  if (streams.length === 0) return;
  const credentials = await loadCredentials(
    db,
    streams.map(({ viewer }) => viewer),
  );
  await Promise.all(
    streams.map(async (stream) => {
      const reason = await endReasonOf(stream.viewer, credentials, visibility);
      // A first refusal is only noted, so that viewers of a deleted document receive that event before the end.
      if (reason === 'document' && !suspects.has(stream)) suspects.add(stream);
      else if (reason) stream.end(reason);
      else suspects.delete(stream);
    }),
  );
}

/** True if the member who made a token still has the role for it. */
const isMaker = (present: MemberRole | undefined, { role }: TokenMaker): boolean =>
  present !== undefined && includesRole(present, role);

/** The reason for which a stream must end, or undefined. */
async function endReasonOf(
  viewer: Viewer,
  credentials: Credentials,
  visibility: EventVisibility,
): Promise<EndReason | undefined> {
  const { apiKeyId, authTokenId, organizationId, documentId } = viewer;
  if (viewer.member) return credentials.members.has(memberKey(viewer)) ? undefined : 'token';
  const tokens = credentials.tokens.get(apiKeyId) ?? [];
  const token = tokens.find(({ tokenHash }) => authTokenIdOf(tokenHash) === authTokenId);
  if (token === undefined) return 'token';
  // User tokens outlive the auth token that they were made with.
  if (!isUser(viewer))
    return (token.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now() ? 'token' : undefined;
  const { expiresAt, madeBy } = viewer.user;
  if (expiresAt <= Date.now()) return 'token';
  if (madeBy && !isMaker(credentials.makers.get(makerKey(viewer)), madeBy)) return 'token';
  if (credentials.organizations.get(organizationKey(viewer))?.disabled !== false) return 'organization';
  if (documentId === undefined) return undefined;
  const mayRead = await visibility.mayRead(viewer, { organizationId, documentId }, Date.now());
  return mayRead ? undefined : 'document';
}
