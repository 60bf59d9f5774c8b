import { type Kysely, sql } from 'kysely';

/** The columns by which tables refer to a document. */
const DOCUMENT = 'api_key_id, organization_id, document_id';

/** Lists that filter by one of these are sorted by last update, so each index ends with that order. */
const annotationIndexes = [
  ['annotations_of_author', 'author_id'],
  ['annotations_by_status', 'status_id'],
  ['annotations_of_location', '(left(md5(location_id), 12))', 'location_id is not null'],
  ['annotations_resolved_by', "(body ->> 'resolvedByUserId')", "body ->> 'resolvedByUserId' is not null"],
  ['annotations_of_one_agent', 'agent_id', 'agent_id is not null'],
  ['annotations_of_execution', 'execution_id', 'execution_id is not null'],
  ['annotations_by_agent_type', "(body -> 'agent' ->> 'agentType')", 'agent_id is not null'],
  ['annotations_by_agents', "(body ->> 'type')", 'agent_id is not null'],
].map(
  ([name, key, where = 'true']) => `create index ${name} on annotations
    (api_key_id, organization_id, ${key}, last_updated, document_id, annotation_id) where ${where}`,
);

const statements = [
  `create table folders (
    api_key_id text not null, organization_id text not null, folder_id text not null, name text not null,
    parent_id text, ancestors text[] not null, access_type text, effective_access_type text,
    metadata jsonb not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, folder_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade,
    foreign key (api_key_id, organization_id, parent_id) references folders on delete cascade)`,
  `create index folders_in_order on folders (api_key_id, organization_id, parent_id, created_at, folder_id)`,
  // Earlier versions let documents name a folder before folders were stored.
  `insert into folders (api_key_id, organization_id, folder_id, name, parent_id, ancestors, metadata, created_at, updated_at)
    select api_key_id, organization_id, folder_id, folder_id, null, '{}', '{}', min(created_at), min(created_at)
    from documents where folder_id is not null group by api_key_id, organization_id, folder_id`,
  `alter table documents add foreign key (api_key_id, organization_id, folder_id)
    references folders on delete cascade`,
  `create index documents_of_folder on documents (api_key_id, organization_id, folder_id, created_at, document_id)`,

  `create table users (
    api_key_id text not null, user_id text not null, name text, email text, body jsonb not null,
    created_at bigint not null, updated_at bigint not null, primary key (api_key_id, user_id))`,
  // The users of an organization, folder or document, and their roles. A grant may precede its subject, so it has no
  // foreign key; the code that deletes the subject also deletes its grants.
  `create table grants (
    api_key_id text not null, organization_id text not null, resource_type text not null,
    resource_id text not null, user_id text not null, access_role text not null, expires_at bigint,
    access_fields text[], created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, resource_type, resource_id, user_id))`,
  `create index grants_in_order on grants
    (api_key_id, organization_id, resource_type, resource_id, created_at, user_id)`,
  'create index grants_of_user on grants (api_key_id, user_id, organization_id, resource_type, resource_id)',
  `create table user_groups (
    api_key_id text not null, organization_id text not null, group_id text not null, name text not null,
    created_at bigint not null, updated_at bigint not null, primary key (api_key_id, organization_id, group_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade)`,
  `create table user_group_members (
    api_key_id text not null, organization_id text not null, group_id text not null, user_id text not null,
    created_at bigint not null, primary key (api_key_id, organization_id, group_id, user_id),
    foreign key (api_key_id, organization_id, group_id) references user_groups on delete cascade)`,
  'create index user_group_members_of_user on user_group_members (api_key_id, user_id, organization_id)',
  `create table signing_keys (
    key_id text primary key, public_jwk jsonb not null, private_sealed text not null,
    created_at bigint not null, retired_at bigint)`,

  // A document that gets another id keeps its annotations and comments.
  'alter table annotations drop constraint annotations_api_key_id_organization_id_document_id_fkey',
  `alter table annotations add constraint annotations_on_document foreign key (${DOCUMENT})
    references documents on delete cascade on update cascade`,
  `alter table comments drop constraint comments_api_key_id_organization_id_document_id_annotation_fkey`,
  `alter table comments add constraint comments_of_annotation foreign key (${DOCUMENT}, annotation_id)
    references annotations on delete cascade on update cascade`,
  'alter table annotations add visibility jsonb',
  `update annotations set visibility = body -> 'visibilityConfig'
    where body -> 'visibilityConfig' ->> 'type' <> 'public'`,
  `create table annotation_views (
    api_key_id text not null, organization_id text not null, document_id text not null,
    annotation_id text not null, user_id text not null, viewed_at bigint not null,
    primary key (${DOCUMENT}, annotation_id, user_id),
    foreign key (${DOCUMENT}, annotation_id) references annotations on delete cascade on update cascade)`,
  // A covering index: unviewed annotations are counted by an index-only scan.
  `create index annotation_views_of_user on annotation_views
    (api_key_id, user_id, organization_id, document_id, annotation_id) include (viewed_at)`,
  ...annotationIndexes,
  `create index comments_of_author on comments
    (api_key_id, author_id, organization_id, document_id, annotation_id, comment_id)`,
  'create index annotations_by_id on annotations (api_key_id, organization_id, annotation_id)',
  // Public annotations are counted by an index-only scan; the few restricted ones are read from the table.
  `create index annotations_for_all on annotations (${DOCUMENT}, annotation_id) include (status_id, last_updated)
    where visibility is null and body -> 'context' -> 'accessFields' is null`,
  `create index annotations_for_some on annotations (${DOCUMENT}, annotation_id)
    where visibility is not null or body -> 'context' -> 'accessFields' is not null`,
  // Without these statistics, the planner underestimates how many annotations have no access fields.
  `create statistics annotations_access_fields on (body -> 'context' -> 'accessFields') from annotations`,
  `create index annotations_that_mention on annotations using gin ((body -> 'mentionedUserIds'))
    where body -> 'mentionedUserIds' <> '[]'`,

  `create table notifications (
    api_key_id text not null, organization_id text not null, notification_id text not null, document_id text,
    location_id text, source text not null, action_user_id text not null, target_annotation_id text,
    for_all boolean not null, access_fields text[], visibility jsonb, body jsonb not null,
    created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, notification_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade,
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,
  `create index notifications_in_order on notifications
    (api_key_id, organization_id, created_at, notification_id)`,
  `create index notifications_of_document on notifications (${DOCUMENT}, created_at, notification_id)`,
  `create index notifications_for_all on notifications
    (api_key_id, organization_id, created_at, notification_id) where for_all`,
  `create index notifications_of_annotation on notifications (${DOCUMENT}, target_annotation_id)
    where target_annotation_id is not null`,
  // The recipients that a notification names, with their read state. For a notification for all, a row is added when
  // a user reads it.
  `create table notification_recipients (
    api_key_id text not null, organization_id text not null, notification_id text not null,
    user_id text not null, for_you boolean not null, read_at bigint, created_at bigint not null,
    primary key (api_key_id, organization_id, notification_id, user_id),
    foreign key (api_key_id, organization_id, notification_id) references notifications on delete cascade)`,
  `create index notification_recipients_of_user on notification_recipients
    (api_key_id, organization_id, user_id, created_at, notification_id)`,
  // An empty document_id means every document of the organization.
  `create table notification_settings (
    api_key_id text not null, organization_id text not null, user_id text not null,
    document_id text not null, config jsonb not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, user_id, document_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade)`,
  `create index notification_settings_of_mail on notification_settings (api_key_id, organization_id, document_id)
    where config ->> 'email' = 'ALL'`,
  // Mail about a notification to one user. The row is kept after sending, so that no user gets the mail twice.
  `create table notification_emails (
    api_key_id text not null, organization_id text not null, notification_id text not null,
    user_id text not null, status text not null, due_at bigint not null, claimed_until bigint,
    attempts integer not null, error text, created_at bigint not null,
    primary key (api_key_id, organization_id, notification_id, user_id),
    foreign key (api_key_id, organization_id, notification_id) references notifications on delete cascade)`,
  `create index notification_emails_waiting on notification_emails (api_key_id, organization_id, user_id)
    where status = 'pending'`,
  `create table service_configs (
    api_key_id text not null references api_keys on delete cascade, service text not null,
    config jsonb not null, secret_sealed text, updated_at bigint not null,
    primary key (api_key_id, service))`,

  `create table activities (
    api_key_id text not null, organization_id text not null, activity_id text not null, document_id text,
    feature_type text not null, action_type text not null, user_id text not null, target_entity_id text,
    immutable boolean not null, body jsonb not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, activity_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade,
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,
  'create index activities_in_order on activities (api_key_id, organization_id, created_at, activity_id)',
  `create index activities_of_target on activities
    (api_key_id, organization_id, target_entity_id, created_at, activity_id)`,
  `create index activities_of_feature on activities
    (api_key_id, organization_id, feature_type, created_at, activity_id)`,
  `create index activities_of_action on activities
    (api_key_id, organization_id, action_type, created_at, activity_id)`,
  `create index activities_of_user on activities
    (api_key_id, organization_id, user_id, created_at, activity_id)`,
  `create index activities_of_document on activities (${DOCUMENT}, created_at, activity_id)`,
  `create table presence (
    api_key_id text not null, organization_id text not null, document_id text not null, user_id text not null,
    status text not null, body jsonb not null, updated_at bigint not null, primary key (${DOCUMENT}, user_id),
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,
  `create table live_states (
    api_key_id text not null, organization_id text not null, document_id text not null,
    live_state_id text not null, data jsonb not null, updated_at bigint not null,
    primary key (${DOCUMENT}, live_state_id),
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,

  `create table document_migrations (
    api_key_id text not null, organization_id text not null, migration_id text not null,
    document_id text not null, new_document_id text not null, status text not null, error text,
    attempts integer not null, created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, organization_id, migration_id),
    foreign key (api_key_id, organization_id) references organizations on delete cascade)`,
  `create index document_migrations_unfinished on document_migrations (updated_at)
    where status in ('pending', 'in_progress')`,
  `create table data_deletions (
    api_key_id text not null references api_keys on delete cascade, job_id text not null,
    user_ids jsonb not null, organization_ids jsonb, tasks_count integer not null, tasks_left integer not null,
    last_task_completed_at bigint, progress jsonb not null, created_at bigint not null,
    updated_at bigint not null, primary key (api_key_id, job_id))`,
  'create index data_deletions_unfinished on data_deletions (updated_at) where tasks_left > 0',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
