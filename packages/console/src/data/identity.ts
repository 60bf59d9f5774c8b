import type { Redpen } from '@redpen/client';
import type { Role } from '../session/session.tsx';

export type Scope = 'read' | 'comment' | 'decide' | 'review';

export interface PersonalToken {
  tokenId: string;
  name: string;
  scopes: Scope[];
  apiKeyId: string;
  member: { memberId: string; name: string };
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export interface Member {
  memberId: string;
  name: string;
  email: string | null;
  role: Role;
  joinedAt: number;
  lastSeenAt: number | null;
}

export interface Invitation {
  invitationId: string;
  email: string;
  name: string | null;
  role: Role;
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

export interface SessionRow {
  sessionId: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  address: string;
  userAgent: string;
  isCurrent: boolean;
}

/** Sends an operation on sessions, members or tokens and returns its data. */
const send = async <T>(redpen: Redpen, path: string, data: object, signal?: AbortSignal): Promise<T> =>
  (await redpen.connection.send(path, data, { signal })).result.data;

export const listTokens = async (redpen: Redpen, signal: AbortSignal) =>
  (await send<{ tokens: PersonalToken[] }>(redpen, '/v2/tokens/list', {}, signal)).tokens;
export const createToken = (
  redpen: Redpen,
  data: { name: string; scopes: readonly Scope[]; expiresInDays?: number },
) => send<{ token: string; personalToken: PersonalToken }>(redpen, '/v2/tokens/create', data);
export const revokeToken = (redpen: Redpen, tokenId: string) =>
  send(redpen, '/v2/tokens/revoke', { tokenId });

export const listSessions = async (redpen: Redpen, signal: AbortSignal) =>
  (await send<{ sessions: SessionRow[] }>(redpen, '/v2/session/list', {}, signal)).sessions;
export const revokeSession = (redpen: Redpen, sessionId: string) =>
  send(redpen, '/v2/session/revoke', { sessionId });
export const renameAccount = (redpen: Redpen, name: string) => send(redpen, '/v2/account/update', { name });

export const listMembers = async (redpen: Redpen, signal: AbortSignal) =>
  (await send<{ members: Member[] }>(redpen, '/v2/members/list', {}, signal)).members;
export const listInvitations = async (redpen: Redpen, signal: AbortSignal) =>
  (await send<{ invitations: Invitation[] }>(redpen, '/v2/members/invitations/list', {}, signal)).invitations;
export const inviteMember = (redpen: Redpen, data: { email: string; role: Role; name?: string }) =>
  send<{ invitation: Invitation; url: string }>(redpen, '/v2/members/invite', data);
export const changeRole = (redpen: Redpen, data: { memberId: string; role: Role }) =>
  send(redpen, '/v2/members/update', data);
export const removeMember = (redpen: Redpen, memberId: string) =>
  send(redpen, '/v2/members/remove', { memberId });
export const revokeInvitation = (redpen: Redpen, invitationId: string) =>
  send(redpen, '/v2/members/invitations/revoke', { invitationId });
