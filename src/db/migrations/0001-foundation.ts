import { type Kysely, sql } from 'kysely';

const statements = [
  `create table workspaces (
    workspace_id text primary key, name text not null, owner_id text not null, owner_name text not null,
    owner_email text not null, owner_key text not null, owner_avatar text not null, plan text not null,
    token_hash text not null, token_sealed text not null, created_at bigint not null)`,
  'create index workspaces_by_owner on workspaces (owner_key, created_at)',
  `create table api_keys (
    api_key_id text primary key, workspace_id text not null references workspaces on delete cascade,
    name text not null, type text not null, owner_email text not null, allowed_domains jsonb not null,
    config jsonb not null, created_at bigint not null)`,
  'create index api_keys_by_workspace on api_keys (workspace_id, created_at, api_key_id)',
  `create table api_key_tokens (
    api_key_id text not null references api_keys on delete cascade, token_hash text not null,
    token_sealed text not null, name text not null, domains jsonb not null, created_at bigint not null,
    primary key (api_key_id, token_hash))`,

  `create table organizations (
    api_key_id text not null, organization_id text not null, name text not null, disabled boolean not null,
    metadata jsonb not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id))`,
  'create index organizations_in_order on organizations (api_key_id, created_at, organization_id)',
  `create table documents (
    api_key_id text not null, organization_id text not null, document_id text not null, name text not null,
    folder_id text, access_type text, disabled boolean not null, metadata jsonb not null,
    next_annotation_number integer not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, document_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade)`,
  'create index documents_in_order on documents (api_key_id, organization_id, created_at, document_id)',
  `create table annotations (
    api_key_id text not null, organization_id text not null, document_id text not null,
    annotation_id text not null, annotation_number integer not null, author_id text not null,
    status_id text not null, location_id text, agent_id text, execution_id text, agent_url text,
    suggestion_status text, body jsonb not null, created_at bigint not null, last_updated bigint not null,
    primary key (api_key_id, organization_id, document_id, annotation_id),
    foreign key (api_key_id, organization_id, document_id) references documents on delete cascade)`,
  `create index annotations_by_update on annotations
    (api_key_id, organization_id, document_id, last_updated, annotation_id)`,
  `create index annotations_of_organization on annotations
    (api_key_id, organization_id, last_updated, document_id, annotation_id)`,
  `create index annotations_of_agent on annotations
    (api_key_id, organization_id, document_id, agent_id, agent_url) where agent_id is not null`,
  `create table comments (
    api_key_id text not null, organization_id text not null, document_id text not null,
    annotation_id text not null, comment_id bigint not null, author_id text not null, body jsonb not null,
    created_at bigint not null, last_updated bigint not null,
    primary key (api_key_id, organization_id, document_id, annotation_id, comment_id),
    foreign key (api_key_id, organization_id, document_id, annotation_id) references annotations on delete cascade)`,

  `create table agents (
    api_key_id text not null, agent_id text not null, name text not null, description text,
    enabled boolean not null, metadata jsonb not null, version integer not null,
    execution_count bigint not null, last_executed_at bigint, created_at bigint not null,
    updated_at bigint not null, primary key (api_key_id, agent_id))`,
  'create index agents_in_order on agents (api_key_id, created_at desc, agent_id desc)',
  `create table agent_versions (
    api_key_id text not null, agent_id text not null, version integer not null, behavior jsonb not null,
    created_at bigint not null, primary key (api_key_id, agent_id, version))`,
  `create table builtin_agents (
    api_key_id text not null, agent_id text not null, enabled boolean not null,
    execution_count bigint not null, last_executed_at bigint, updated_at bigint not null,
    primary key (api_key_id, agent_id))`,
  `create table agent_groups (
    api_key_id text not null, group_id text not null, name text not null, description text,
    agent_ids jsonb not null, metadata jsonb not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, group_id))`,
  `create table agent_analytics (
    api_key_id text not null, agent_id text not null, month text not null, model text not null,
    executions bigint not null, findings bigint not null, prompt_tokens bigint not null,
    completion_tokens bigint not null, total_tokens bigint not null,
    primary key (api_key_id, agent_id, month, model))`,

  `create table executions (
    api_key_id text not null, execution_id text not null, agent_id text not null, agent_name text not null,
    agent_version integer not null, organization_id text not null, document_id text not null,
    status text not null, seed_url text not null, request jsonb not null, trigger text not null,
    ran_by jsonb, outcome jsonb not null, started_at bigint not null, completed_at bigint,
    lease_owner text, lease_until bigint not null, attempts integer not null,
    primary key (api_key_id, execution_id))`,
  'create index executions_of_agent on executions (api_key_id, agent_id, started_at desc, execution_id desc)',
  `create index executions_of_document on executions
    (api_key_id, organization_id, document_id, started_at desc, execution_id desc)`,
  // Prevents that two runs of one agent on one page of one document write each finding twice.
  `create unique index executions_running on executions
    (api_key_id, agent_id, organization_id, document_id, md5(seed_url))
    where status = 'running' and document_id <> ''`,
  `create index executions_by_lease on executions (lease_until) where status = 'running'`,
  `create table execution_pages (
    api_key_id text not null, execution_id text not null, url_hash text not null, url text not null,
    position integer not null, status text not null, findings jsonb not null,
    annotations_created integer not null, detail jsonb not null, processed_at bigint,
    primary key (api_key_id, execution_id, url_hash),
    foreign key (api_key_id, execution_id) references executions on delete cascade)`,
  `create table execution_log (
    api_key_id text not null, execution_id text not null, line_id text not null, at bigint not null,
    level text not null, message text not null, data jsonb not null,
    primary key (api_key_id, execution_id, line_id),
    foreign key (api_key_id, execution_id) references executions on delete cascade)`,
  `create table artifacts (
    api_key_id text not null, artifact_id text not null, execution_id text not null, name text not null,
    mime_type text not null, size_bytes bigint not null, blob_key text not null, created_at bigint not null,
    primary key (api_key_id, artifact_id))`,

  `create table events (
    api_key_id text not null, event_id text not null, seq bigserial not null, workspace_id text not null,
    name text not null, payload jsonb not null, created_at bigint not null, relayed_at bigint,
    primary key (api_key_id, event_id))`,
  'create index events_to_relay on events (seq) where relayed_at is null',
  'create index events_by_age on events (relayed_at) where relayed_at is not null',
  `create table event_receipts (
    api_key_id text not null, event_id text not null, subscriber text not null,
    primary key (api_key_id, event_id, subscriber),
    foreign key (api_key_id, event_id) references events on delete cascade)`,
  `create table idempotency_keys (
    caller text not null, idempotency_key text not null, request_hash text not null, response_sealed text,
    created_at bigint not null, primary key (caller, idempotency_key))`,
  'create index idempotency_keys_by_age on idempotency_keys (created_at)',
  `create table rate_counters (
    bucket text primary key, window_start bigint not null, used integer not null)`,
  'create table key_checks (key_id text primary key, sealed text not null, created_at bigint not null)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
