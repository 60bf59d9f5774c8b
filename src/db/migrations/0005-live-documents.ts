import { type Kysely, sql } from 'kysely';

const DOCUMENT = 'api_key_id, organization_id, document_id';
const EDITOR = `${DOCUMENT}, editor_id`;
const EDITOR_COLUMNS =
  'api_key_id text not null, organization_id text not null, document_id text not null, editor_id text not null';

const statements = [
  // The content is `snapshot` and the rows of `crdt_updates` together. The incarnation distinguishes an editor that
  // was deleted and created again from its predecessor.
  `create table crdt_editors (
    ${EDITOR_COLUMNS}, incarnation text not null, type text, content_key text,
    snapshot bytea, snapshot_version bigint not null, created_at bigint not null,
    last_update bigint not null, last_updated_by text, session_id text, dirty_since bigint,
    primary key (${EDITOR}),
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,
  'create index crdt_editors_dirty on crdt_editors (dirty_since) where dirty_since is not null',
  // Updates as they arrived; a row contains those that were written together.
  `create table crdt_updates (
    ${EDITOR_COLUMNS}, seq bigserial not null, payload bytea not null, user_id text, session_id text,
    created_at bigint not null, primary key (${EDITOR}, seq),
    foreign key (${EDITOR}) references crdt_editors on delete cascade on update cascade)`,
  `create table crdt_snapshots (
    ${EDITOR_COLUMNS}, snapshot_id text not null, name text not null, state bytea not null,
    created_at bigint not null, created_by text, primary key (${EDITOR}, snapshot_id),
    foreign key (${EDITOR}) references crdt_editors on delete cascade on update cascade)`,
  `create index crdt_snapshots_in_order on crdt_snapshots (${EDITOR}, created_at, snapshot_id)`,
  // Tombstones: the Yjs clients that had written in a deleted editor. A client that still has it open would restore
  // its content.
  `create table crdt_deletions (
    ${EDITOR_COLUMNS}, client_ids jsonb not null, deleted_at bigint not null, primary key (${EDITOR}),
    foreign key (${DOCUMENT}) references documents on delete cascade on update cascade)`,
  'create index crdt_deletions_by_age on crdt_deletions (deleted_at)',
  // The content is already compact or about to be rewritten; compressing it takes longer than it saves.
  'alter table crdt_editors alter column snapshot set storage external',
  'alter table crdt_updates alter column payload set storage external',
  'alter table crdt_snapshots alter column state set storage external',

  // Appends updates to many editors, creates those that do not exist yet, and returns the incarnation under which
  // each was stored. It is a function, since the statements of a function are planned once per connection; as one
  // statement, planning would take many times as long as running it. The editor's row gets a key share lock, so
  // that compaction waits for updates that are being written.
  `create function append_crdt_updates(items jsonb, bytes bytea, now bigint)
    returns table (item_position integer, stored_incarnation text) language plpgsql as $$
    declare
      item record;
      held record;
    begin
      for item in
        select * from jsonb_to_recordset(items) as item(position integer, "apiKeyId" text, "organizationId" text,
          "documentId" text, "editorId" text, incarnation text, "newIncarnation" text, "userId" text,
          "sessionId" text, start integer, length integer)
      loop
        for attempt in 1..2 loop
          select editor.incarnation, editor.dirty_since into held from crdt_editors as editor
            where editor.api_key_id = item."apiKeyId" and editor.organization_id = item."organizationId"
              and editor.document_id = item."documentId" and editor.editor_id = item."editorId"
              and (item.incarnation is null or editor.incarnation = item.incarnation)
            for key share;
          exit when found or item.incarnation is not null;
          insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation,
              snapshot_version, created_at, last_update, last_updated_by, session_id, dirty_since)
            select item."apiKeyId", item."organizationId", item."documentId", item."editorId",
              item."newIncarnation", 0, now, now, item."userId", item."sessionId", now
            from documents as document
            where document.api_key_id = item."apiKeyId" and document.organization_id = item."organizationId"
              and document.document_id = item."documentId"
            on conflict do nothing;
        end loop;
        continue when held.incarnation is null;
        insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, user_id, session_id,
            created_at)
          values (item."apiKeyId", item."organizationId", item."documentId", item."editorId",
            substring(bytes from item.start for item.length), item."userId", item."sessionId", now);
        if held.dirty_since is null then
          update crdt_editors as editor set dirty_since = now
            where editor.api_key_id = item."apiKeyId" and editor.organization_id = item."organizationId"
              and editor.document_id = item."documentId" and editor.editor_id = item."editorId"
              and editor.dirty_since is null;
        end if;
        item_position := item.position;
        stored_incarnation := held.incarnation;
        return next;
      end loop;
    end $$`,

  // The events for live clients, in the order of their commits; their content is in the events table.
  `create table live_events (
    api_key_id text not null, organization_id text not null, seq bigserial not null, document_id text,
    event_id text not null, name text not null, created_at bigint not null,
    primary key (api_key_id, organization_id, seq))`,
  'create unique index live_events_in_order on live_events (seq)',
  'create index live_events_by_age on live_events (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
