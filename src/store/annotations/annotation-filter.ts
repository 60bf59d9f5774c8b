import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { md5 } from '../../lib/ids.ts';
import { holdsOneOfEach, type Reader, visibleTo } from '../access/visibility-sql.ts';

type Condition = RawBuilder<SqlBool>;

export interface AnnotationFilter {
  annotationIds?: string[] | undefined;
  /** As the caller names them, or by the numbers that records carry. */
  locationIds?: string[] | undefined;
  /** Authors of the annotation itself. */
  userIds?: string[] | undefined;
  mentionedUserIds?: string[] | undefined;
  resolvedBy?: string | undefined;
  statusIds?: string[] | undefined;
  agentId?: string | undefined;
  executionId?: string | undefined;
  agentType?: string | undefined;
  agentSource?: string | undefined;
  agentSuggestions?: boolean | undefined;
  agentComments?: boolean | undefined;
  /** Pages that agents found them on, without fragment. */
  agentUrls?: string[] | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

const bigint = (value: number) => sql`cast(${value} as bigint)`;
/** An empty list holds nothing, and must never come to mean everything. */
const among = (column: string, values: readonly unknown[]): Condition =>
  values.length === 0
    ? sql<SqlBool>`false`
    : values.length === 1
      ? sql<SqlBool>`${sql.ref(column)} = ${values[0]}`
      : sql<SqlBool>`${sql.ref(column)} in (${sql.join([...values])})`;

// What these conditions say, and the expressions they say it with, are those of the indexes in the migration.
const conditions: { [Key in keyof AnnotationFilter]-?: (value: never) => Condition } = {
  annotationIds: (ids: string[]) => among('annotations.annotationId', ids),
  locationIds: (ids: string[]) => atLocations(ids),
  userIds: (ids: string[]) => among('annotations.authorId', ids),
  mentionedUserIds: (ids: string[]) =>
    ids.length === 0
      ? sql<SqlBool>`false`
      : sql<SqlBool>`annotations.body -> 'mentionedUserIds' <> '[]'
          and annotations.body -> 'mentionedUserIds' ?| array[${sql.join(ids)}]::text[]`,
  resolvedBy: (userId: string) => sql<SqlBool>`annotations.body ->> 'resolvedByUserId' = ${userId}`,
  statusIds: (ids: string[]) => among('annotations.statusId', ids),
  agentId: (agentId: string) => among('annotations.agentId', [agentId]),
  executionId: (executionId: string) => among('annotations.executionId', [executionId]),
  agentType: (type: string) =>
    sql<SqlBool>`annotations.agent_id is not null and annotations.body -> 'agent' ->> 'agentType' = ${type}`,
  agentSource: (source: string) =>
    sql<SqlBool>`annotations.agent_id is not null
      and annotations.body -> 'agent' ->> 'agentType' ${sql.raw(source === 'external' ? '=' : '<>')} 'external'`,
  agentSuggestions: (wanted: boolean) => (wanted ? byAgentsOfType('suggestion') : sql<SqlBool>`true`),
  agentComments: (wanted: boolean) => (wanted ? byAgentsOfType('comment') : sql<SqlBool>`true`),
  agentUrls: (urls: string[]) =>
    sql<SqlBool>`annotations.agent_id is not null and ${among('annotations.agentUrl', urls)}`,
  updatedAfter: (at: number) => sql<SqlBool>`annotations.last_updated > ${bigint(at)}`,
  updatedBefore: (at: number) => sql<SqlBool>`annotations.last_updated < ${bigint(at)}`,
  // Nothing is updated before it is made, and lists go by last update: so the scan can end early.
  createdAfter: (at: number) =>
    sql<SqlBool>`annotations.created_at > ${bigint(at)} and annotations.last_updated > ${bigint(at)}`,
  createdBefore: (at: number) => sql<SqlBool>`annotations.created_at < ${bigint(at)}`,
};

const byAgentsOfType = (type: 'suggestion' | 'comment'): Condition =>
  sql<SqlBool>`annotations.agent_id is not null and annotations.body ->> 'type' = ${type}`;

/** The beginning of a location's hash, which is the number that records name it by, and what the index holds. */
const LOCATION_KEY = sql`left(md5(annotations.location_id), 12)`;

/** An id that looks like the number of a record may be that of a location, or the number of another. */
function atLocations(ids: string[]): Condition {
  if (ids.length === 0) return sql<SqlBool>`false`;
  const numbers = ids
    .filter((id) => /^\d{1,15}$/.test(id))
    .map((id) => Number(id).toString(16).padStart(12, '0'));
  const keys = [...ids.map((id) => md5(id).slice(0, 12)), ...numbers];
  const named = sql<SqlBool>`${LOCATION_KEY} in (${sql.join(keys)})`;
  if (numbers.length === 0) return sql<SqlBool>`${named} and ${among('annotations.locationId', ids)}`;
  return sql<SqlBool>`${named} and (${among('annotations.locationId', ids)}
    or ${LOCATION_KEY} in (${sql.join(numbers)}))`;
}

/** Holds for annotations that every part of the filter lets through. */
export function matches(filter: AnnotationFilter): Condition {
  const parts = (Object.keys(conditions) as (keyof AnnotationFilter)[])
    .filter((key) => filter[key] !== undefined)
    .map((key) => conditions[key](filter[key] as never));
  return parts.length === 0 ? sql<SqlBool>`true` : sql.join(parts, sql` and `);
}

/** Holds for annotations that whoever may read the document may see. Most are of this kind, and have an index of their own. */
export const isForAll: Condition = sql<SqlBool>`annotations.visibility is null
  and annotations.body -> 'context' -> 'accessFields' is null`;

/** Holds for the others. */
export const isForSome: Condition = sql<SqlBool>`(annotations.visibility is not null
  or annotations.body -> 'context' -> 'accessFields' is not null)`;

const accessFields = sql`annotations.body -> 'context' -> 'accessFields'`;

/**
 * Holds for annotations that the reader may be told of: by the annotation's own visibility, and where it names
 * fields of access, by one of the reader's values of each. Its author always may.
 */
export const shownTo = (reader: Reader | undefined): Condition =>
  reader === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${visibleTo(reader, 'annotations')} and (annotations.author_id = ${reader.userId}
        or ${accessFields} is null
        or ${holdsOneOfEach(
          reader,
          sql`jsonb_array_elements_text(case jsonb_typeof(${accessFields}) when 'array' then ${accessFields}
            else '[]'::jsonb end)`,
        )}))`;
