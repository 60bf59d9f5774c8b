import type { Caller } from '../../lib/scope.ts';
import type { OpenSession } from '../../store/identity/sessions.ts';

/** A caller with the ids that its kind of credentials reveals. */
export type KnownCaller = Partial<Caller> & {
  authTokenId?: string;
  /** The session of the console. */
  session?: OpenSession;
};

export interface Credential {
  /** Their revocation drops the credential. */
  ids: readonly string[];
  known: KnownCaller;
  /** Origins that may use it. An empty list allows all. */
  domains: string[];
}

export interface FoundCredential extends Credential {
  /** Epoch milliseconds. */
  expiresAt?: number | undefined;
}
