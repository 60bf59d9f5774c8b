import { type Kysely, sql } from 'kysely';

const statements = [
  // The content of files, stored once for all sources of an API key with the same file.
  `create table knowledge_contents (
    api_key_id text not null, content_id text not null, sha256 text not null, mime_type text not null,
    byte_size integer not null, blob_key text not null, status text not null, failure_reason text,
    failure_message text, held_by text not null default '', due_at bigint not null,
    attempts integer not null default 0, kind text, version integer not null default 1, markdown text,
    notes jsonb not null default '[]', rule_count integer not null default 0,
    chunk_count integer not null default 0, embedded_with text not null default '',
    created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, content_id))`,
  // Content that was edited no longer equals its file, and content that failed may succeed at another attempt.
  `create unique index knowledge_contents_of_file on knowledge_contents (api_key_id, sha256, mime_type)
    where status <> 'failed' and version = 1`,
  `create index knowledge_contents_due on knowledge_contents (due_at) where status = 'processing'`,
  `create index knowledge_contents_by_model on knowledge_contents (embedded_with) where status = 'completed'`,
  `create table knowledge_sources (
    api_key_id text not null, source_id text not null, content_id text not null,
    organization_id text not null, document_id text not null, file_name text not null,
    dedup_of text, uploaded_at bigint not null,
    primary key (api_key_id, source_id),
    foreign key (api_key_id, content_id) references knowledge_contents)`,
  `create index knowledge_sources_in_order on knowledge_sources
    (api_key_id, uploaded_at desc, source_id desc)`,
  'create index knowledge_sources_of_content on knowledge_sources (api_key_id, content_id)',
  `create index knowledge_sources_of_place on knowledge_sources
    (api_key_id, organization_id, document_id)`,
  `create table knowledge_items (
    api_key_id text not null, content_id text not null, item_id text not null, kind text not null,
    position integer not null, heading text, text text not null, words tsvector not null,
    primary key (api_key_id, content_id, item_id),
    foreign key (api_key_id, content_id) references knowledge_contents on delete cascade)`,
  `create index knowledge_items_in_order on knowledge_items (api_key_id, content_id, kind, position)`,
  `create table knowledge_vectors (
    api_key_id text not null, content_id text not null, item_id text not null,
    window_index smallint not null, kind text not null, model text not null, embedding bytea not null,
    primary key (api_key_id, content_id, item_id, window_index),
    foreign key (api_key_id, content_id, item_id) references knowledge_items on delete cascade)`,
  `create table knowledge_uploads (
    api_key_id text not null, upload_id text not null, organization_id text not null,
    document_id text not null, file_name text, mime_type text not null, byte_size integer not null,
    blob_key text, created_at bigint not null, expires_at bigint not null, ingested_at bigint,
    primary key (api_key_id, upload_id))`,
  'create index knowledge_uploads_by_end on knowledge_uploads (expires_at)',
  `create index knowledge_uploads_of_place on knowledge_uploads
    (api_key_id, organization_id, document_id)`,
  // Files that nothing refers to, with the time of their deletion, among them files whose writer died meanwhile.
  `create table knowledge_trash (
    api_key_id text not null, blob_key text not null, due_at bigint not null,
    primary key (api_key_id, blob_key))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
