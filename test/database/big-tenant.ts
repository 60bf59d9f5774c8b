import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/connections/connect.ts';
import type { Db } from '../../src/db/tables.ts';
import { newDatabase } from './new-database.ts';

export const ORGANIZATION = 'big';
export const DOCUMENT = 'document-1';
export const FOLDER = 'folder-1';
export const USER = 'user-1';
export const ENDPOINT = 'endpoint-1';

/**
 * Opens a separate database that `fill` has filled, since so many rows would slow every other test; `close` drops it.
 * Foreign keys are removed: checking them takes most of the time, and no query plan of a list depends on one. Indexes are
 * made after the rows, which takes half the time.
 */
export async function openBigDatabase(fill: (db: Db) => Promise<void>): Promise<Database> {
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const { url, drop } = await newDatabase();
  const database = await openDatabase({ databaseUrl: url, onError });
  const { db } = database;
  const keys = await sql<{ name: string; constraint: string }>`
    select conrelid::regclass::text as name, conname as constraint from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`.execute(db);
  for (const { name, constraint } of keys.rows) {
    await sql`alter table ${sql.raw(name)} drop constraint ${sql.id(constraint)}`.execute(db);
  }
  const indexes = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisunique and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  for (const { name } of indexes.rows) await sql`drop index ${sql.raw(name)}`.execute(db);
  await fill(db);
  for (const { definition } of indexes.rows) await sql.raw(definition).execute(db);
  await sql`analyze`.execute(db);
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/**
 * Fills a tenant with `count` rows of each kind in a few statements. One organization, document, folder and user have
 * most of them, so that their lists are long. Every tenth row differs.
 */
export async function fillTenant(
  db: Db,
  { apiKeyId, workspaceId }: { apiKeyId: string; workspaceId: string },
  count: number,
): Promise<void> {
  const key = sql`cast(${apiKeyId} as text)`;
  const organization = sql`cast(${ORGANIZATION} as text)`;
  const document = sql`cast(${DOCUMENT} as text)`;
  const n = sql`generate_series(1, cast(${count} as integer)) as n`;
  const place = sql`${key}, ${organization}, ${document}`;
  const some = sql`case when n % 10 <> 0 then ${document} else 'document-2' end`;
  const statements = [
    sql`insert into organizations (api_key_id, organization_id, name, disabled, metadata, created_at, updated_at)
      select ${key}, case when n = 1 then ${organization} else 'organization-' || n end, 'x', false, '{}', n, n from ${n}`,
    sql`insert into folders (api_key_id, organization_id, folder_id, name, parent_id, ancestors, metadata, created_at, updated_at)
      select ${key}, ${organization}, 'folder-' || n, 'x', null, '{}', '{}', n, n from ${n}`,
    // Twice as many, so that a few of them are found by their key though a statement joins counts of unknown number.
    sql`insert into documents (api_key_id, organization_id, document_id, name, folder_id, disabled, metadata,
        next_annotation_number, created_at, updated_at)
      select ${key}, ${organization}, 'document-' || n, 'x', case when n % 2 = 0 then ${FOLDER} end, false, '{}',
        1, n, n from generate_series(1, 2 * cast(${count} as integer)) as n`,
    sql`insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
      select ${key}, 'user-' || n, 'User ' || n, 'user' || n || '@example.com', '{}', n, n from ${n}`,
    sql`insert into grants (api_key_id, organization_id, resource_type, resource_id, user_id, access_role, created_at, updated_at)
      select ${key}, ${organization}, kind.type, kind.id, 'user-' || n, 'editor', n, n
      from ${n}, (values ('organization', ${organization}), ('document', ${document}), ('folder', ${FOLDER})) as kind(type, id)`,
    sql`insert into user_groups (api_key_id, organization_id, group_id, name, created_at, updated_at)
      select ${key}, ${organization}, 'group-' || n, 'x', n, n from ${n}`,
    sql`insert into user_group_members (api_key_id, organization_id, group_id, user_id, created_at)
      select ${key}, ${organization}, 'group-' || case when n % 2 = 0 then 1 else n end, 'user-' || n, n from ${n}`,
    sql`insert into notification_settings (api_key_id, organization_id, user_id, document_id, config, updated_at)
      select ${key}, ${organization}, 'user-' || n, '', '{"inbox":"ALL"}', n from ${n}`,
    sql`insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
        author_id, status_id, location_id, agent_id, execution_id, agent_url, suggestion_status, body, created_at, last_updated)
      select ${key}, ${organization}, case when n % 10 = 0 then 'document-2' else ${document} end, 'annotation-' || n, n,
        'user-' || n % 100, case when n % 100 = 0 then 'RESOLVED' else 'OPEN' end, 'location-' || n % 100,
        case when n % 10 = 0 then 'agent-1' end, case when n % 10 = 0 then 'execution-' || n % 1000 end,
        case when n % 10 = 0 then 'https://example.com/' end, case when n % 10 = 0 then 'pending' end,
        jsonb_build_object('type', case when n % 20 = 0 then 'suggestion' else 'comment' end,
          'resolvedByUserId', 'user-' || n % 100, 'mentionedUserIds', jsonb_build_array('user-' || n % 1000),
          'pageInfo', jsonb_build_object('url', 'https://example.com/' || n % 500))
          || case when n % 10 = 0 then jsonb_build_object('agent', jsonb_build_object('reason', jsonb_build_object(
            'title', 'Title ' || n % 100, 'severity', case when n % 200 = 0 then 'critical' else 'low' end,
            'issueType', 'issue-' || n % 200))) else '{}' end, n, n
      from ${n}`,
    sql`insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body, created_at, last_updated)
      select ${key}, ${organization}, case when n % 10 = 0 then 'document-2' else ${document} end, 'annotation-' || n,
        100000 + n, 'user-' || n % 100, jsonb_build_object('commentText', 'x word' || n % 1000,
          'from', jsonb_build_object('userId', 'user-1')), n, n from ${n}`,
    // One thread is very long.
    sql`insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body, created_at, last_updated)
      select ${place}, 'annotation-1', 1000000 + n, 'user-' || n % 100,
        '{"commentText":"x","from":{"userId":"user-1"}}', n, n from generate_series(1, 2000) as n`,
    sql`insert into attachments (api_key_id, organization_id, document_id, attachment_id, annotation_id, comment_id,
        uploader_id, file_name, mime_type, byte_size, blob_key, created_at, upload_until, uploaded_at, used_at)
      select ${key}, ${organization}, ${some}, 'att_' || n, case when n % 20 <> 0 then 'annotation-' || n end,
        case when n % 20 <> 0 then 100000 + n end, 'user-' || n % 100, 'x', 'image/png', 1, 'x', n, n, n,
        case when n % 20 <> 0 then n end from ${n}`,
    sql`insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
      select ${key}, ${organization}, case when n % 10 = 0 then 'document-2' else ${document} end, 'annotation-' || n,
        ${USER}, n from ${n} where n % 2 = 0`,
    sql`insert into reactions (api_key_id, organization_id, document_id, annotation_id, comment_id, reaction_id,
        user_id, author, created_at)
      select ${place}, case when n % 600 = 0 then 'annotation-1' else 'annotation-' || n end, -1, 'agree',
        case when n % 3 = 1 then ${USER} else 'user-' || n end, '{"userId":"x"}', n from ${n}`,
    sql`insert into notifications (api_key_id, organization_id, notification_id, document_id, location_id, source,
        action_user_id, for_all, body, created_at, updated_at)
      select ${key}, ${organization}, 'notification-' || n, ${some}, 'location-' || n % 100, 'custom', 'user-2',
        n % 2 = 0, '{}', n, n from ${n}`,
    sql`insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
      select ${key}, ${organization}, 'notification-' || n, case when n % 3 = 0 then ${USER} else 'user-' || n end, true, n from ${n}`,
    sql`insert into activities (api_key_id, organization_id, activity_id, document_id, feature_type, action_type,
        user_id, target_entity_id, immutable, body, created_at, updated_at)
      select ${key}, ${organization}, 'activity-' || n, ${some}, case when n % 100 = 0 then 'crdt' else 'comment' end,
        'added', 'user-' || n % 100, 'entity-' || n % 100, false, '{}', n, n from ${n}`,
    sql`insert into presence (api_key_id, organization_id, document_id, user_id, status, body, updated_at)
      select ${place}, 'user-' || n, 'online', '{}', cast(${Date.now()} as bigint) from ${n}`,
    sql`insert into live_states (api_key_id, organization_id, document_id, live_state_id, data, updated_at)
      select ${place}, 'state-' || n, '{}', n from ${n}`,
    sql`insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation, snapshot,
        snapshot_version, created_at, last_update)
      select ${place}, 'editor-' || n, 'x', '\\x0000'::bytea, 1, n, n from ${n}`,
    // The log of one editor is as long as all others together.
    sql`insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
      select ${place}, 'editor-' || case when n % 2 = 0 then 1 else n end, '\\x020000'::bytea, n from ${n}`,
    sql`insert into crdt_snapshots (api_key_id, organization_id, document_id, editor_id, snapshot_id, name, state, created_at)
      select ${place}, 'editor-' || case when n % 2 = 0 then 1 else n end, 'snapshot-' || n, 'x', '\\x0000'::bytea, n
      from ${n}`,
    sql`insert into agents (api_key_id, agent_id, name, enabled, metadata, version, execution_count, created_at, updated_at)
      select ${key}, 'agent-' || n, 'x', true, '{}', 1, 0, n, n from ${n}`,
    sql`insert into executions (api_key_id, execution_id, agent_id, agent_name, agent_version, organization_id,
        document_id, status, seed_url, request, trigger, outcome, started_at, completed_at, lease_until, attempts)
      select ${key}, 'execution-' || n, case when n % 10 = 0 then 'agent-2' else 'agent-1' end, 'x', 1, ${organization},
        ${some}, 'passed', 'https://example.com/', '{}', 'standalone', '{}', n, n, 0, 1 from ${n}`,
    sql`insert into execution_pages (api_key_id, execution_id, url_hash, url, position, status, annotations_created,
        detail, processed_at)
      select ${key}, 'execution-' || n, md5('https://example.com/' || n), 'https://example.com/' || n, 0, 'completed', 0,
        '{}', n from ${n}`,
    sql`insert into token_contacts (api_key_id, organization_id, resource_type, resource_id, user_id, seen_at)
      select ${key}, ${organization}, 'organization', ${organization}, 'user-' || n, n from ${n}`,
    sql`insert into execution_findings (api_key_id, execution_id, page_position, number, cause_id, severity,
        fingerprint, body)
      select ${key}, 'execution-' || n, 0, 0, n, 'low', n, '{}' from ${n}`,
    sql`insert into finding_records (api_key_id, finding_id, organization_id, document_id, fingerprint, agent_id,
        page_hash, page_url, severity, issue_type, state, decision, fixed_at, decided_at, first_seen_at, last_seen_at, seen_count,
        first_execution_id, last_execution_id, body)
      select ${key}, 'fnd_' || n, ${organization}, case when n % 10 = 0 then 'document-2' else ${document} end, n,
        case when n % 10 = 0 then 'agent-2' else 'agent-1' end, md5('https://example.com/' || n % 50),
        'https://example.com/' || n % 50, case when n % 100 = 0 then 'critical' else 'low' end, 'spelling',
        case when n % 20 in (0, 1, 7) then 'still_there' else 'fixed' end, case when n % 5 = 0 then 'rejected' end,
        case when n % 20 in (0, 1, 7) then null else n end, case when n % 5 = 0 then n end, n, n, 1,
        'execution-' || n, 'execution-' || n, jsonb_build_object('title', 'Misspelled word: ' || n)
      from ${n}`,
    sql`insert into service_configs (api_key_id, service, config, updated_at)
      select case when n = 1 then ${key} else ${key} || '-' || n end, 'advancedWebhook', '{"isEnabled":true}', 1
      from ${n}`,
    sql`insert into webhook_endpoints (api_key_id, endpoint_id, workspace_id, kind, url, disabled, created_at, updated_at)
      select ${key}, 'endpoint-' || n, ${workspaceId}, 'advanced', 'https://example.com/', false, n, n from ${n}`,
    sql`insert into webhook_lanes (api_key_id, endpoint_id) select ${key}, 'endpoint-' || n from ${n}`,
    sql`insert into webhook_messages (api_key_id, message_id, seq, event_type, body, created_at)
      select ${key}, 'evt_' || n, n, case when n % 10 = 0 then 'comment.add' else 'document.add' end, '{}', n from ${n}`,
    sql`insert into webhook_deliveries (api_key_id, message_id, endpoint_id, seq, status, tries, next_at, attempts, created_at)
      select ${key}, 'evt_' || n, case when n % 10 = 0 then 'endpoint-2' else ${ENDPOINT} end, n,
        (array['delivered', 'failed', 'held', 'waiting'])[n % 4 + 1], 0, case when n % 4 = 3 then n end, '[]', n from ${n}`,
    sql`insert into api_keys (api_key_id, workspace_id, name, type, owner_email, allowed_domains, config, created_at)
      select case when n = 0 then ${key} else ${key} || '-' || n end, ${workspaceId}, 'x', 'testing', 'x@example.com', '[]', '{}', n from generate_series(0, cast(${count} as integer)) as n`,
  ];
  for (const statement of statements) await statement.execute(db);
}
