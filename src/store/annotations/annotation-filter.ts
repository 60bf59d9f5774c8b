import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import { md5 } from '../../lib/ids.ts';
import { matchesAccessFields, type Reader, visibleTo } from '../access/visibility-sql.ts';
import { onPages, type WordSearch } from './annotation-search.ts';

type Condition = RawBuilder<SqlBool>;

export interface AnnotationFilter {
  annotationIds?: string[] | undefined;
  /** Ids as the caller names them, or the numbers that records have in their place. */
  locationIds?: string[] | undefined;
  /** Authors of the annotations. */
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
  /** Reviewed pages, without fragment. */
  agentUrls?: string[] | undefined;
  /** Pages that agents reviewed, or on which people wrote. */
  pageUrls?: string[] | undefined;
  suggestionStatus?: string[] | undefined;
  severity?: string[] | undefined;
  issueType?: string[] | undefined;
  /** Not a condition, but the rows to choose from: `annotationsWith`. */
  text?: WordSearch | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

const bigint = (value: number) => sql`cast(${value} as bigint)`;
/** An empty list matches nothing: it must never turn into no condition at all. */
const among = (column: string, values: readonly unknown[]): Condition =>
  values.length === 0
    ? condition`false`
    : values.length === 1
      ? condition`${sql.ref(column)} = ${values[0]}`
      : condition`${sql.ref(column)} in (${sql.join([...values])})`;

// The expressions are those of the indexes in the migrations, which the planner would not use otherwise.
const conditions: { [Key in keyof Omit<AnnotationFilter, 'text'>]-?: (value: never) => Condition } = {
  annotationIds: (ids: string[]) => among('annotations.annotationId', ids),
  locationIds: (ids: string[]) => atLocations(ids),
  userIds: (ids: string[]) => among('annotations.authorId', ids),
  mentionedUserIds: (ids: string[]) =>
    ids.length === 0
      ? condition`false`
      : condition`annotations.body -> 'mentionedUserIds' <> '[]'
          and annotations.body -> 'mentionedUserIds' ?| array[${sql.join(ids)}]::text[]`,
  resolvedBy: (userId: string) => condition`annotations.body ->> 'resolvedByUserId' = ${userId}`,
  statusIds: (ids: string[]) => among('annotations.statusId', ids),
  agentId: (agentId: string) => among('annotations.agentId', [agentId]),
  executionId: (executionId: string) => among('annotations.executionId', [executionId]),
  agentType: (type: string) =>
    condition`annotations.agent_id is not null and annotations.body -> 'agent' ->> 'agentType' = ${type}`,
  agentSource: (source: string) =>
    condition`annotations.agent_id is not null
      and annotations.body -> 'agent' ->> 'agentType' ${sql.raw(source === 'external' ? '=' : '<>')} 'external'`,
  agentSuggestions: (wanted: boolean) => (wanted ? byAgentsOfType('suggestion') : condition`true`),
  agentComments: (wanted: boolean) => (wanted ? byAgentsOfType('comment') : condition`true`),
  agentUrls: (urls: string[]) =>
    condition`annotations.agent_id is not null and ${among('annotations.agentUrl', urls)}`,
  pageUrls: onPages,
  suggestionStatus: (statuses: string[]) => among('annotations.suggestionStatus', statuses),
  severity: (severities: string[]) =>
    condition`left(annotations.body #>> '{agent,reason,severity}', 100) in (${sql.join(severities)})`,
  issueType: (types: string[]) =>
    condition`md5(annotations.body #>> '{agent,reason,issueType}') in (${sql.join(types.map(md5))})`,
  updatedAfter: (at: number) => condition`annotations.last_updated > ${bigint(at)}`,
  updatedBefore: (at: number) => condition`annotations.last_updated < ${bigint(at)}`,
  // `last_updated >= created_at`, so the second condition lets a scan by last update end early.
  createdAfter: (at: number) =>
    condition`annotations.created_at > ${bigint(at)} and annotations.last_updated > ${bigint(at)}`,
  createdBefore: (at: number) => condition`annotations.created_at < ${bigint(at)}`,
};

const byAgentsOfType = (type: 'suggestion' | 'comment'): Condition =>
  condition`annotations.agent_id is not null and annotations.body ->> 'type' = ${type}`;

/** Start of the location's hash, as in the index; `locationNumber` makes the number of a location from it. */
const LOCATION_KEY = sql`left(md5(annotations.location_id), 12)`;

/** An id of digits may be the id of a location or the number of another one, so it matches both. */
function atLocations(ids: string[]): Condition {
  if (ids.length === 0) return condition`false`;
  const numbers = ids
    .filter((id) => /^\d{1,15}$/.test(id))
    .map((id) => Number(id).toString(16).padStart(12, '0'));
  const keys = [...ids.map((id) => md5(id).slice(0, 12)), ...numbers];
  const named = condition`${LOCATION_KEY} in (${sql.join(keys)})`;
  if (numbers.length === 0) return condition`${named} and ${among('annotations.locationId', ids)}`;
  return condition`${named} and (${among('annotations.locationId', ids)}
    or ${LOCATION_KEY} in (${sql.join(numbers)}))`;
}

/** True for annotations that pass all parts of the filter. */
export function matches(filter: AnnotationFilter): Condition {
  const parts = (Object.keys(conditions) as (keyof typeof conditions)[])
    .filter((key) => filter[key] !== undefined)
    .map((key) => conditions[key](filter[key] as never));
  return parts.length === 0 ? condition`true` : sql.join(parts, sql` and `);
}

/** True for annotations that all readers of the document may see. Most are, and a partial index covers them. */
export const isUnrestrictedRow: Condition = condition`annotations.visibility is null
  and annotations.body -> 'context' -> 'accessFields' is null`;

/** The opposite of `isUnrestrictedRow`, in the form that its index covers. */
export const isRestrictedRow: Condition = condition`(annotations.visibility is not null
  or annotations.body -> 'context' -> 'accessFields' is not null)`;

const accessFields = sql`annotations.body -> 'context' -> 'accessFields'`;

/**
 * True for annotations that the reader may see: by the annotation's visibility and, for each field of access that it
 * names, by one of the reader's values. Authors see their own. `isInAudience` in `annotations/audience.ts` is the same
 * rule for one annotation.
 */
export const shownTo = (reader: Reader | undefined): Condition =>
  reader === undefined
    ? condition`true`
    : condition`(${visibleTo(reader, 'annotations')} and (annotations.author_id = ${reader.userId}
        or ${accessFields} is null
        or ${matchesAccessFields(
          reader,
          sql`jsonb_array_elements_text(case jsonb_typeof(${accessFields}) when 'array' then ${accessFields}
            else '[]'::jsonb end)`,
        )}))`;
