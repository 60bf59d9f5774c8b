import { type Kysely, sql } from 'kysely';

const statements = [
  `create table webhook_endpoints (
    api_key_id text not null references api_keys on delete cascade, endpoint_id text not null,
    workspace_id text not null, kind text not null, url text not null, description text,
    filter_types jsonb, channels jsonb, disabled boolean not null, disabled_reason text, rate_limit integer,
    uid text, metadata jsonb, secret_sealed text, previous_secret_sealed text, previous_secret_until bigint,
    created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, endpoint_id))`,
  'create unique index webhook_endpoints_by_uid on webhook_endpoints (api_key_id, uid) where uid is not null',
  `create index webhook_endpoints_in_order on webhook_endpoints (api_key_id, created_at, endpoint_id)
    where kind = 'advanced'`,

  `create table webhook_messages (
    api_key_id text not null, message_id text not null, seq bigint not null, event_type text not null,
    organization_id text, body text not null, basic_body text, created_at bigint not null,
    primary key (api_key_id, message_id))`,
  'create index webhook_messages_by_age on webhook_messages (created_at)',
  `create table webhook_deliveries (
    api_key_id text not null, message_id text not null, endpoint_id text not null, seq bigint not null,
    order_key text, status text not null, tries integer not null, next_at bigint,
    attempts jsonb not null, created_at bigint not null, finished_at bigint,
    primary key (api_key_id, message_id, endpoint_id))`,
  `create index webhook_deliveries_due on webhook_deliveries (api_key_id, endpoint_id, next_at, seq)
    where status = 'waiting'`,
  `create index webhook_deliveries_ordered on webhook_deliveries (api_key_id, endpoint_id, order_key, seq)
    where status = 'waiting' and order_key is not null`,
  `create index webhook_deliveries_lost on webhook_deliveries (api_key_id, endpoint_id, seq)
    where status in ('failed', 'held')`,
  'create index webhook_deliveries_of_endpoint on webhook_deliveries (api_key_id, endpoint_id, seq)',
  `create index webhook_deliveries_by_age on webhook_deliveries (created_at) where status = 'waiting'`,

  `create table webhook_lanes (
    api_key_id text not null, endpoint_id text not null, next_at bigint, paused_until bigint,
    failing_since bigint,
    told_percent integer not null default 0, told_at bigint,
    primary key (api_key_id, endpoint_id),
    foreign key (api_key_id, endpoint_id) references webhook_endpoints on delete cascade)`,
  'create index webhook_lanes_due on webhook_lanes (next_at) where next_at is not null',
  `create table webhook_leases (
    api_key_id text not null, endpoint_id text not null, holder text not null, until bigint not null,
    primary key (api_key_id, endpoint_id))`,

  `create table event_faults (
    api_key_id text not null, event_id text not null, subscriber text not null, tries integer not null,
    next_at bigint not null, error text not null,
    primary key (api_key_id, event_id, subscriber),
    foreign key (api_key_id, event_id) references events on delete cascade)`,
  'create index event_faults_due on event_faults (next_at)',
  // Replaced: an event is now marked as relayed in the transaction of its subscribers.
  'drop table event_receipts',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
