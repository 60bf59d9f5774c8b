import type { AuditSource } from '../../store/audit/record-audit.ts';
import type { KnownCaller } from './known-caller.ts';

/** Who sends a request, as the audit log names them: never by a token. */
export function actorOf(caller: KnownCaller | undefined): AuditSource['actor'] {
  const { user, member, session, apiKeyId, workspaceId } = caller ?? {};
  if (user) return { kind: 'user', id: user.userId, name: user.name };
  if (member) return { kind: 'member', id: member.memberId, name: member.name };
  if (session) return { kind: 'account', id: session.accountId, name: session.name };
  if (apiKeyId !== undefined) return { kind: 'apiKey', id: apiKeyId };
  if (workspaceId !== undefined) return { kind: 'workspace', id: workspaceId };
  return { kind: 'unknown' };
}

interface Sent {
  caller: KnownCaller | undefined;
  path: string;
  requestId: string;
  clientIp: string;
  userAgent: string;
}

export const auditSourceOf = ({ caller, path, requestId, clientIp, userAgent }: Sent): AuditSource => ({
  actor: actorOf(caller),
  assistant: caller?.assistant,
  via: path,
  requestId,
  address: clientIp,
  userAgent,
});
