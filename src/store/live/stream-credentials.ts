import { sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Member, MemberRole, TokenUser } from '../../lib/scope.ts';
import { openCredentials, rolesOfAccounts } from '../identity/open-credentials.ts';
import type { ApiKeyTokenRow } from '../platform/api-keys.ts';
import type { OrganizationRef } from './live-events.ts';

/** The organization of a stream, and the member or user who opened it. */
type StreamRef = OrganizationRef & { member?: Member | undefined; user?: TokenUser | undefined };

/** The facts that a stream depends on for as long as it is open. */
export interface Credentials {
  /** The auth tokens of each API key. One that has expired stays for user tokens that were made with it. */
  tokens: Map<string, Pick<ApiKeyTokenRow, 'tokenHash' | 'expiresAt'>[]>;
  /** By `organizationKey`; deleted ones are absent. */
  organizations: Map<string, { disabled: boolean }>;
  /** Keys of the members whose credentials are still valid, by `memberKey`. */
  members: Set<string>;
  /** Roles of the members who made user tokens, by `makerKey`. */
  makers: Map<string, MemberRole>;
}

export const memberKey = ({ apiKeyId, member }: Pick<StreamRef, 'apiKeyId' | 'member'>): string =>
  keyOfCredential(apiKeyId, member?.credentialId);

export const makerKey = ({ apiKeyId, user }: Pick<StreamRef, 'apiKeyId' | 'user'>): string =>
  keyOfCredential(apiKeyId, user?.madeBy?.accountId);

const keyOfCredential = (apiKeyId: string, credentialId: string | undefined): string =>
  JSON.stringify([apiKeyId, credentialId]);

export const organizationKey = ({ apiKeyId, organizationId }: OrganizationRef): string =>
  JSON.stringify([apiKeyId, organizationId]);

export async function loadCredentials(db: Db, organizations: StreamRef[]): Promise<Credentials> {
  const apiKeyIds = [...new Set(organizations.map(({ apiKeyId }) => apiKeyId))];
  const tokens = await db
    .selectFrom('apiKeyTokens')
    .select(['apiKeyId', 'tokenHash', 'expiresAt'])
    .where(condition`api_key_id = any(cast(${apiKeyIds} as text[]))`)
    .execute();
  const named = new Map(organizations.map((ref) => [organizationKey(ref), ref]));
  const wanted = [...named.values()].map(({ apiKeyId, organizationId }) => ({ apiKeyId, organizationId }));
  const { rows } = await sql<OrganizationRef & { disabled: boolean }>`
    select organizations.api_key_id, organizations.organization_id, organizations.disabled
    from jsonb_to_recordset(${json(wanted)}) as wanted("apiKeyId" text, "organizationId" text)
    join organizations on organizations.api_key_id = wanted."apiKeyId"
      and organizations.organization_id = wanted."organizationId"`.execute(db);
  const ofMembers = organizations.flatMap(({ apiKeyId, member }) =>
    member ? [{ apiKeyId, accountId: member.accountId, credentialId: member.credentialId }] : [],
  );
  const open = await openCredentials(db, ofMembers);
  const makers = organizations.flatMap(({ apiKeyId, user }) =>
    user?.madeBy ? [{ apiKeyId, accountId: user.madeBy.accountId }] : [],
  );
  const roles = await rolesOfAccounts(db, makers);
  return {
    makers: new Map(
      roles.map(({ apiKeyId, accountId, role }) => [keyOfCredential(apiKeyId, accountId), role]),
    ),
    members: new Set(open.map(({ apiKeyId, credentialId }) => keyOfCredential(apiKeyId, credentialId))),
    tokens: Map.groupBy(tokens, ({ apiKeyId }) => apiKeyId),
    organizations: new Map(rows.map((row) => [organizationKey(row), { disabled: row.disabled }])),
  };
}
