import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

const row = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  disabled: z.boolean(),
  accessRole: z.enum(['viewer', 'editor']).nullable(),
  folders: z.coerce.number(),
  documents: z.coerce.number(),
});

/** Organizations in which a stored grant of the user has not expired, ordered by id. */
export const listOrganizationsOfUser = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  userId: string,
  { after, limit, now }: { after: string | undefined; limit: number; now: number },
): Promise<z.infer<typeof row>[]> =>
  rowsOf(
    db,
    row,
    sql`
    select organizations.organization_id, organizations.name as organization_name, organizations.disabled,
      max(grants.access_role) filter (where grants.resource_type = 'organization') as access_role,
      count(*) filter (where grants.resource_type = 'folder') as folders,
      count(*) filter (where grants.resource_type = 'document') as documents
    from grants join organizations on organizations.api_key_id = grants.api_key_id
      and organizations.organization_id = grants.organization_id
    where grants.api_key_id = ${apiKeyId} and grants.user_id = ${userId}
      and (grants.expires_at is null or grants.expires_at > ${now})
      ${after === undefined ? sql`` : sql`and grants.organization_id > ${after}`}
    group by organizations.api_key_id, organizations.organization_id
    order by organizations.organization_id limit ${limit}`,
  );
