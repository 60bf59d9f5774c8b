import { type RawBuilder, sql } from 'kysely';
import { eventColumns } from '../../events/insert-events.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';

/** Arguments of a statement that locks an organization, and may add it. */
export interface PresentOrganization extends Scope, Record<string, unknown> {
  organizationId: string;
  /** True to add a missing one. */
  creates: boolean;
  organizationEventId: string;
  organizationEvent: string;
  now: number;
}

export const presentOrganization = (
  { apiKeyId, workspaceId }: Scope,
  organizationId: string,
  { create }: { create: boolean },
): PresentOrganization => ({
  apiKeyId,
  workspaceId,
  organizationId,
  creates: create,
  organizationEventId: newTimedId('evt'),
  organizationEvent: JSON.stringify({ organizationId, organizationName: organizationId }),
  now: Date.now(),
});

/**
 * Common table expressions: `locked` is the organization, locked against deletion until the transaction ends, and `made`
 * is the one that was added. If another transaction adds it at the same time, the statement fails by a unique key.
 */
export const organizationTables = (
  { apiKeyId, organizationId, creates, now }: PresentOrganization,
  creationAllowed: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  locked as materialized (
    select 1 from organizations
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} for key share),
  made as (
    insert into organizations (api_key_id, organization_id, name, disabled, metadata, created_at, updated_at)
    select cast(${apiKeyId} as text), cast(${organizationId} as text), cast(${organizationId} as text), false, '{}',
      cast(${now} as bigint), cast(${now} as bigint)
    where cast(${creates} as boolean) and ${creationAllowed} and not exists (select from locked)
    returning 1)`;

/** True if the organization was there or has been added. */
export const hasOrganization = sql`(exists (select from locked) or exists (select from made))`;

/** The select list of the event of its addition, for rows of `made`. */
export const organizationAdded = (organization: PresentOrganization): RawBuilder<unknown> =>
  eventColumns({
    apiKeyId: organization.apiKeyId,
    workspaceId: organization.workspaceId,
    eventId: organization.organizationEventId,
    name: 'organization.add',
    payload: sql`cast(${organization.organizationEvent} as jsonb)`,
    createdAt: organization.now,
  });
