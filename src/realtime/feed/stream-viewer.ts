import { authorize } from '../../access/authorize.ts';
import type { Db } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import type { Caller, TokenUser } from '../../lib/scope.ts';
import { documentExists, documentMissing } from '../../store/documents/documents.ts';
import { organizationMissing } from '../../store/documents/organizations.ts';
import { NO_ORGANIZATION } from '../../store/live/live-events.ts';
import { loadCredentials, organizationKey } from '../../store/live/stream-credentials.ts';

/** The caller of a stream, and the events it asks for. */
export interface Viewer extends Caller {
  /** Identifies the auth token of the request, or the one under which the user's token was made. A member has none. */
  authTokenId?: string | undefined;
  /** `NO_ORGANIZATION` for the events that belong to none. */
  organizationId: string;
  /** Undefined for all documents of the organization. */
  documentId: string | undefined;
  /** The address at which the client reaches the service, for links to files. */
  origin: string;
  /** Names of events; undefined for all. */
  names: ReadonlySet<string> | undefined;
}

export type UserViewer = Viewer & { user: TokenUser };

export const isUser = (viewer: Viewer): viewer is UserViewer => viewer.user !== undefined;

/**
 * Throws unless a viewer may open its stream. Any user of the tenant may open the stream of an organization, because
 * access to documents is checked for each event.
 */
export async function admitViewer(db: Db, viewer: Viewer): Promise<void> {
  const { organizationId, documentId, user } = viewer;
  if (organizationId === NO_ORGANIZATION) {
    if (user) throw permissionDenied('The scope apiKey is for API keys.');
    return;
  }
  const credentials = await loadCredentials(db, [viewer]);
  const organization = credentials.organizations.get(organizationKey(viewer));
  if (!user) {
    if (!organization) throw organizationMissing();
    if (documentId !== undefined && !(await documentExists(db, viewer, { organizationId, documentId }))) {
      throw documentMissing();
    }
    return;
  }
  if (!organization || organization.disabled) {
    throw permissionDenied('User does not have access to organization');
  }
  if (documentId !== undefined) await authorize(db, viewer, { organizationId, documentId }, 'viewer');
}
