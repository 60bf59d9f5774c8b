import type { Redpen, TokensCreateRequest } from '@redpen/client';
import { callSession } from '../session/session-call.ts';

export type {
  Invitation,
  OpenSession as SessionRow,
  PersonalToken,
  WorkspaceMember as Member,
} from '@redpen/client';
export type Scope = TokensCreateRequest['scopes'][number];

/** More than an account or a workspace has in practice; the lists come page by page. */
const MOST = 1_000;

type Data<G extends keyof Redpen, M extends keyof Redpen[G]> = Redpen[G][M] extends (
  data: infer D,
  ...rest: never[]
) => unknown
  ? D
  : never;

export const listTokens = async (redpen: Redpen, signal: AbortSignal) =>
  (await callSession(redpen, '/v2/tokens/list', { pageSize: 100 }, signal)).tokens;
export const createToken = (redpen: Redpen, data: TokensCreateRequest) =>
  callSession(redpen, '/v2/tokens/create', data);
export const revokeToken = (redpen: Redpen, tokenId: string) =>
  callSession(redpen, '/v2/tokens/revoke', { tokenId });

export const listSessions = async (redpen: Redpen, signal: AbortSignal) =>
  (await callSession(redpen, '/v2/session/list', { pageSize: 50 }, signal)).sessions;
export const revokeSession = (redpen: Redpen, sessionId: string) =>
  callSession(redpen, '/v2/session/revoke', { sessionId });
export const renameAccount = (redpen: Redpen, name: string) =>
  callSession(redpen, '/v2/account/update', { name });

export const renameWorkspace = (redpen: Redpen, name: string) =>
  callSession(redpen, '/v2/workspace/update', { name });

export const resetWorkspaceToken = (redpen: Redpen) => callSession(redpen, '/v2/workspace/token/reset', {});

export const listMembers = (redpen: Redpen, signal: AbortSignal) =>
  redpen.members.all({}, { signal, max: MOST });
export const listInvitations = (redpen: Redpen, signal: AbortSignal) =>
  redpen.invitations.all({}, { signal, max: MOST });
export const inviteMember = (redpen: Redpen, data: Data<'members', 'invite'>) => redpen.members.invite(data);
export const changeRole = (redpen: Redpen, data: Data<'members', 'update'>) => redpen.members.update(data);
export const removeMember = (redpen: Redpen, memberId: string) => redpen.members.remove({ memberId });
export const revokeInvitation = (redpen: Redpen, invitationId: string) =>
  redpen.invitations.revoke({ invitationId });
