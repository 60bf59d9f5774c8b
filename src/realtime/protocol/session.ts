import type { Connection } from '@hocuspocus/server';
import type { Scope, TokenUser } from '../../lib/scope.ts';
import type { Cause } from './close-codes.ts';

/** The tenant and user of a valid token. */
export interface AuthenticatedUser {
  scope: Scope;
  user: TokenUser;
}

/** The part of a client connection that Hocuspocus hooks call. */
export interface SessionClient {
  /** Decides whether a token opens a document, and if only to read. Throws the reason of a refusal. */
  authorize(name: string, token: string): Promise<{ user: TokenUser; readOnly: boolean }>;
  /** Takes a new token for an open document. */
  renew(connection: Connection<Session>, token: string): Promise<void>;
  opened(connection: Connection<Session>): void;
  close(cause: Cause): void;
}

/** The Hocuspocus context of one client's connection to one document. */
export interface Session {
  client: SessionClient;
  user?: TokenUser;
  token?: string;
}
