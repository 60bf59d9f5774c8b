import type { Caller, TokenUser } from '../../lib/scope.ts';

/** For whose eyes a stream is, and what of all that they asked for. */
export interface Viewer extends Caller {
  /** Names the auth token that it came with, or under which the user's token was made. */
  authTokenId: string;
  organizationId: string;
  /** Undefined for all documents of the organization. */
  documentId: string | undefined;
  /** Names of events; undefined for all. */
  names: ReadonlySet<string> | undefined;
}

export type UserViewer = Viewer & { user: TokenUser };

export const isUser = (viewer: Viewer): viewer is UserViewer => viewer.user !== undefined;
