import { type Kysely, sql } from 'kysely';

const statements = [
  // The text of a pattern is composed from its judgments at each read, so that a revoked judgment is no longer
  // quoted. An empty organization means the whole API key.
  `create table memory_patterns (
    api_key_id text not null, pattern_id text not null, organization_id text not null,
    content_type text not null, side text not null, source_count integer not null,
    leading_count integer not null, unique_reviewers integer not null, confidence double precision not null,
    record_ids jsonb not null, mostly_before bigint not null, discovered_at bigint not null,
    updated_at bigint not null, primary key (api_key_id, pattern_id))`,
  'create index memory_patterns_in_order on memory_patterns (api_key_id, updated_at desc, pattern_id desc)',
  `create index memory_patterns_of_organization on memory_patterns
    (api_key_id, organization_id, updated_at desc, pattern_id desc)`,
  `create table memory_profiles (
    api_key_id text not null, user_id text not null, profile jsonb not null, updated_at bigint not null,
    primary key (api_key_id, user_id))`,
  `create table memory_alerts (
    api_key_id text not null, alert_id text not null, organization_id text not null, alert_type text not null,
    severity text not null, title text not null, description text not null, evidence jsonb not null,
    suggested_action text, status text not null, dedup_key text not null, created_at bigint not null,
    ended_at bigint, ended_by text, primary key (api_key_id, alert_id))`,
  `create unique index memory_alerts_active on memory_alerts (api_key_id, dedup_key)
    where status = 'active'`,
  'create index memory_alerts_in_order on memory_alerts (api_key_id, status, created_at desc, alert_id desc)',
  // Progress of the consolidation of each organization; the row of the whole API key has the lease.
  `create table memory_consolidations (
    api_key_id text not null, organization_id text not null, mark text not null default '',
    completed_at bigint not null default 0, lease_id text not null default '',
    lease_until bigint not null default 0, primary key (api_key_id, organization_id))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
