import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Caller, Scope, TokenGrant } from '../../lib/scope.ts';

/** A user for whom lists are filtered, with the rights that the SQL conditions depend on. */
export interface Reader {
  userId: string;
  /** The organization that is read. */
  organizationId: string;
  organizationDisabled: boolean;
  /** True with a grant on the organization; an admin with one sees every document in it. */
  isMember: boolean;
  isAdmin: boolean;
  /** All organizations that the user has a grant on. */
  organizationIds: string[];
  /** `field:value` pairs that the user holds in this organization. */
  accessFields: string[];
  /** Grants of the token itself in this organization. */
  tokenDocumentIds: string[];
  tokenFolderIds: string[];
  /** Access type of documents without one of their own or of a folder. */
  defaultAccessType: string;
}

/** Loads the reader of a user token; undefined for an API key, which sees everything. */
export async function loadReader(
  db: Db,
  caller: Caller,
  organizationId: string,
): Promise<Reader | undefined> {
  const { user } = caller;
  if (!user) return undefined;
  const now = Date.now();
  const tokenGrants = user.resources.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  return await load(db, caller, organizationId, { userId: user.userId, isAdmin: user.isAdmin, tokenGrants });
}

/** Loads a reader by stored grants alone, for an API key that asks on behalf of a user. */
export const loadStoredReader = (
  db: Db,
  scope: Scope,
  organizationId: string,
  userId: string,
): Promise<Reader> => load(db, scope, organizationId, { userId, isAdmin: false, tokenGrants: [] });

interface Rights {
  organizationIds: string[];
  accessFields: string[];
  organizationDisabled: boolean | null;
  defaultAccessType: string | null;
}

interface RightsQuery extends Record<string, unknown> {
  apiKeyId: string;
  userId: string;
  organizationId: string;
  now: number;
}

const selectRights = prepared((db, { apiKeyId, userId, organizationId, now }: RightsQuery) => {
  const ofUser = sql`grants.api_key_id = ${apiKeyId} and grants.user_id = ${userId}
    and (grants.expires_at is null or grants.expires_at > cast(${now} as bigint))`;
  const query = sql<Rights>`
    select
      (select coalesce(jsonb_agg(organization_id), '[]') from grants
        where ${ofUser} and resource_type = 'organization') as organization_ids,
      (select coalesce(jsonb_agg(distinct field), '[]') from grants, unnest(access_fields) as field
        where ${ofUser} and organization_id = ${organizationId}) as access_fields,
      (select disabled from organizations
        where api_key_id = ${apiKeyId} and organization_id = ${organizationId}) as organization_disabled,
      (select config ->> 'defaultDocumentAccessType' from api_keys
        where api_key_id = ${apiKeyId}) as default_access_type`;
  return { compile: () => query.compile(db) };
});

async function load(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  { userId, isAdmin, tokenGrants }: { userId: string; isAdmin: boolean; tokenGrants: TokenGrant[] },
): Promise<Reader> {
  const rows = await selectRights(db, { apiKeyId, userId, organizationId, now: Date.now() });
  const stored = rows[0]!;
  const here = tokenGrants.filter((grant) => grant.organizationId === organizationId);
  const organizationIds = [
    ...stored.organizationIds,
    ...tokenGrants.filter(({ type }) => type === 'organization').map(({ id }) => id),
  ];
  return {
    userId,
    organizationId,
    organizationDisabled: stored.organizationDisabled ?? false,
    isMember: organizationIds.includes(organizationId),
    isAdmin,
    organizationIds: [...new Set(organizationIds)],
    accessFields: [
      ...new Set([...stored.accessFields, ...here.flatMap(({ accessFields }) => accessFields ?? [])]),
    ],
    tokenDocumentIds: here.filter(({ type }) => type === 'document').map(({ id }) => id),
    tokenFolderIds: here.filter(({ type }) => type === 'folder').map(({ id }) => id),
    defaultAccessType: stored.defaultAccessType ?? 'public',
  };
}

/** The column of the user who sees a row whatever its visibility: its author or actor. */
const ownerColumns = { annotations: 'author_id', notifications: 'action_user_id' } as const;

/** True for rows whose visibility includes the reader. */
export function visibleTo(reader: Reader, table: keyof typeof ownerColumns): RawBuilder<SqlBool> {
  const visibility = sql.ref(`${table}.visibility`);
  const owner = sql.ref(`${table}.${ownerColumns[table]}`);
  const organizations = json(reader.organizationIds);
  return condition`(${visibility} is null
    or ${visibility} ->> 'type' = 'public'
    or ${owner} = ${reader.userId}
    or (${visibility} ->> 'type' = 'restricted' and jsonb_exists(${visibility} -> 'userIds', ${reader.userId}))
    or (${visibility} ->> 'type' = 'organizationPrivate' and (
      jsonb_exists(${organizations},
        coalesce(${visibility} ->> 'organizationId',
          case when ${visibility} -> 'organizationIds' is null then ${sql.ref(`${table}.organizationId`)} end))
      or exists (select 1 from jsonb_array_elements_text(
          case jsonb_typeof(${visibility} -> 'organizationIds') when 'array' then ${visibility} -> 'organizationIds'
            else '[]'::jsonb end) as named(id) where jsonb_exists(${organizations}, named.id)))))`;
}

/**
 * True if, for every field named in the `field:value` pairs, the reader has at least one of its values. True for an empty
 * list of pairs.
 */
export const matchesAccessFields = (
  { accessFields }: Pick<Reader, 'accessFields'>,
  pairs: RawBuilder<unknown>,
): RawBuilder<SqlBool> => condition`not exists (select 1 from ${pairs} as pair(value)
  group by split_part(pair.value, ':', 1)
  having not bool_or(jsonb_exists(${json(accessFields)}, pair.value)))`;

/**
 * True for rows on documents that the reader may read: the rules of `access/decide.ts` as SQL, without the difference
 * between viewers and editors. Without `openToAll`, public documents do not count. Grants
 * that have expired by `now` do not count either.
 */
export function readableDocument(
  reader: Reader,
  table: string,
  { openToAll = true, now: at = Date.now() }: { openToAll?: boolean; now?: number } = {},
): RawBuilder<SqlBool> {
  if (reader.organizationDisabled) return condition`false`;
  const now = sql`cast(${at} as bigint)`;
  const accessType = sql`coalesce(of_row.access_type, around.effective_access_type, ${reader.defaultAccessType})`;
  const granted = reader.isMember
    ? reader.isAdmin
      ? sql`true`
      : sql`${accessType} <> 'restricted'`
    : sql`false`;
  return condition`exists (select 1 from documents as of_row
    left join folders as around on around.api_key_id = of_row.api_key_id
      and around.organization_id = of_row.organization_id and around.folder_id = of_row.folder_id
    where of_row.api_key_id = ${sql.ref(`${table}.apiKeyId`)}
      and of_row.organization_id = ${sql.ref(`${table}.organizationId`)}
      and of_row.document_id = ${sql.ref(`${table}.documentId`)}
      and not of_row.disabled
      and (${granted} ${openToAll ? sql`or ${accessType} = 'public'` : sql``}
        ${grantedByToken(reader)}
        or exists (select 1 from grants
          where grants.api_key_id = of_row.api_key_id and grants.user_id = ${reader.userId}
            and grants.organization_id = of_row.organization_id
            and (grants.expires_at is null or grants.expires_at > ${now})
            and ((grants.resource_type = 'document' and grants.resource_id = of_row.document_id)
              or (grants.resource_type = 'folder'
                and (grants.resource_id = of_row.folder_id or grants.resource_id = any(around.ancestors))))))
    -- Keeps PostgreSQL from hashing all documents instead of looking up those of the rows.
    offset 0)`;
}

/** Left out without such grants: PostgreSQL prepares every part of a condition, also those that are never true. */
const grantedByToken = ({ tokenDocumentIds, tokenFolderIds }: Reader) => sql`
  ${tokenDocumentIds.length === 0 ? sql`` : sql`or jsonb_exists(${json(tokenDocumentIds)}, of_row.document_id)`}
  ${
    tokenFolderIds.length === 0
      ? sql``
      : sql`or jsonb_exists(${json(tokenFolderIds)}, of_row.folder_id)
          or exists (select 1 from unnest(around.ancestors) as above(id)
            where jsonb_exists(${json(tokenFolderIds)}, above.id))`
  }`;
