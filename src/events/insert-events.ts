import { type RawBuilder, sql } from 'kysely';
import type { EventName, EventPayload } from './event-catalog.ts';

const COLUMNS = sql.raw('api_key_id, workspace_id, event_id, name, payload, created_at');

/**
 * Frequent events that only webhooks deliver. Without an endpoint they are not written. An endpoint that is created at
 * the same moment misses them. A statement whose event name is a parameter leaves them to the relay.
 */
export const ONLY_FOR_WEBHOOKS: ReadonlySet<EventName> = new Set<EventName>(['memory.judgment_add']);

/** Values of one row of the outbox: parameters, or expressions over the rows of a `select`. */
export interface EventColumns<Name extends EventName> {
  apiKeyId: string | RawBuilder<unknown>;
  workspaceId: string | RawBuilder<unknown>;
  eventId: string | RawBuilder<unknown>;
  name: Name | RawBuilder<Name>;
  /** A jsonb expression, typed by what the catalog declares for the event. */
  payload: RawBuilder<EventPayload<Name>>;
  createdAt: number;
}

/** The select list of one event; several such selects can be joined by `union all` for `insertEvents`. */
export const eventColumns = <Name extends EventName>(event: EventColumns<Name>): RawBuilder<unknown> =>
  sql`cast(${event.apiKeyId} as text) as api_key_id, cast(${event.workspaceId} as text) as workspace_id,
    cast(${event.eventId} as text) as event_id, cast(${event.name} as text) as name, ${event.payload} as payload,
    cast(${event.createdAt} as bigint) as created_at, ${isWanted(event)} as is_wanted`;

const isWanted = ({ name, apiKeyId }: EventColumns<EventName>): RawBuilder<unknown> =>
  typeof name === 'string' && ONLY_FOR_WEBHOOKS.has(name)
    ? sql`exists (select 1 from webhook_endpoints as endpoint where endpoint.api_key_id = cast(${apiKeyId} as text))`
    : sql`true`;

/**
 * The only raw `insert into events`: every event is a row of `eventColumns`, whose payload the catalog types. `seq` counts
 * up in the order of the rows.
 */
export function insertEvents(rows: RawBuilder<unknown>, orderBy?: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into events (${COLUMNS}) select ${COLUMNS} from (${rows}) as event
    where is_wanted ${orderBy ? sql`order by ${orderBy}` : sql``}`;
}
