import type pg from 'pg';

/** What the rows of a part belong to. */
export interface Tenant {
  apiKeyId: string;
  workspaceId: string;
  headers: Record<string, string>;
  endpointIds: string[];
}

export interface Part {
  /** Number of rows at the whole size. */
  rows: number;
  what: string;
  tables: string[];
  /** Statements with `$1`, the API key, and `$2`, the number of rows. */
  fill: string[];
}

const NOW = '(extract(epoch from now()) * 1000)::bigint';

/** Rows are numbered from 1, and their times increase with their numbers. */
const rows = (each = '') => `generate_series(1, $2::integer) as n ${each}`;

export const PARTS: Record<string, Part> = {
  users: {
    rows: 1_000_000,
    what: 'users of an organization',
    tables: ['users', 'grants', 'user_groups', 'user_group_members'],
    fill: [
      `insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
        select $1::text, 'user-' || n, 'User ' || n, 'user-' || n || '@example.com', '{"color": "#aabbcc"}', ${NOW}, ${NOW}
        from ${rows()}`,
      `insert into grants (api_key_id, organization_id, resource_type, resource_id, user_id, access_role, created_at, updated_at)
        select $1::text, 'acme', 'organization', 'acme', 'user-' || n, 'editor', 1700000000000 + n, 1700000000000 + n
        from ${rows()}`,
      `insert into user_groups (api_key_id, organization_id, group_id, name, created_at, updated_at)
        select $1::text, 'acme', 'editors', 'Editors', ${NOW}, ${NOW} where $2::integer > 0`,
      `insert into user_group_members (api_key_id, organization_id, group_id, user_id, created_at)
        select $1::text, 'acme', 'editors', 'user-' || n * 5, ${NOW} from generate_series(1, 20) as n where $2::integer > 0`,
    ],
  },
  notifications: {
    rows: 10_000_000,
    what: 'notifications, a tenth of which name one user',
    tables: ['notifications', 'notification_recipients'],
    fill: [
      `insert into notifications (api_key_id, organization_id, notification_id, document_id, source, action_user_id,
          for_all, body, created_at, updated_at)
        select $1::text, 'acme', 'ntf_' || n, 'page-' || n / 10 % 4, 'custom', 'writer-' || n % 100, false,
          '{"actionUser": {"userId": "eve"}, "displayHeadlineMessageTemplate": "{actionUser} asks for a review", "displayBodyMessage": "The texts of the second section are new."}',
          1700000000000 + n, 1700000000000 + n
        from ${rows()}`,
      `insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
        select $1::text, 'acme', 'ntf_' || n, case n % 10 when 0 then 'ada' else 'reader-' || n % 100 end, true, 1700000000000 + n
        from ${rows()}`,
    ],
  },
  outbox: {
    rows: 1_000_000,
    what: 'events waiting in the outbox',
    tables: ['events'],
    fill: [
      `insert into events (api_key_id, workspace_id, event_id, name, payload, created_at)
        select api_key_id, workspace_id, event_id || '_' || n, name, payload, created_at
        from (select * from events where api_key_id = $1::text and name = 'comment_annotation.add' limit 1) as event,
          ${rows()} where n > 1`,
    ],
  },
  webhooks: {
    rows: 10_000_000,
    what: 'webhook deliveries to ten endpoints, a thousandth of them waiting and a thousandth given up',
    tables: ['webhook_messages', 'webhook_deliveries'],
    fill: [
      `insert into webhook_messages (api_key_id, message_id, seq, event_type, organization_id, body, created_at)
        select $1::text, 'evt_' || n, n, case n % 5 when 0 then 'comment.add' else 'document.update' end, 'acme',
          '{"event": "document.update", "data": {"organizationId": "acme", "documentId": "page-1"}}',
          ${NOW} - 1000 * 3600 * 24 + n
        from ${rows()}`,
      `insert into webhook_deliveries (api_key_id, message_id, endpoint_id, event_type, seq, order_key, status, tries,
          next_at, attempts, created_at, finished_at)
        select $1::text, 'evt_' || n, endpoint_id, case n % 5 when 0 then 'comment.add' else 'document.update' end, n, md5('key-' || n % 10 || '-' || n / 200), status, 0,
          case status when 'waiting' then ${NOW} end,
          case status when 'waiting' then '[]' else '[{"at": 1700000000000, "outcome": "delivered", "status": 200, "latencyMs": 12}]' end::jsonb,
          ${NOW} - 1000 * 3600 * 24 + n, case status when 'waiting' then null else ${NOW} end
        from (select n, case n / 10 % 1000 when 0 then 'failed' when 1 then 'waiting' else 'delivered' end as status
          from ${rows()}) as numbered
        join (select endpoint_id, row_number() over (order by endpoint_id) - 1 as place from webhook_endpoints
          where api_key_id = $1::text) as endpoint on endpoint.place = n % 10`,
      `update webhook_lanes set next_at = ${NOW} where api_key_id = $1::text and $2::integer > 0`,
    ],
  },
  executions: {
    rows: 100_000,
    what: 'executions of ten agents on four documents',
    tables: ['executions', 'execution_pages'],
    fill: [
      `insert into executions (api_key_id, execution_id, agent_id, agent_name, agent_version, organization_id, document_id,
          status, seed_url, request, trigger, ran_by, outcome, started_at, completed_at, lease_owner, lease_until, attempts)
        select api_key_id, 'exec_' || n, 'agent-' || n % 10, agent_name, agent_version, organization_id, 'page-' || n % 4,
          'passed', seed_url, request, trigger, ran_by, outcome, 1700000000000 + n, 1700000000000 + n, null, 0, 1
        from (select * from executions where api_key_id = $1::text limit 1) as run, ${rows()}`,
      `insert into execution_pages (api_key_id, execution_id, url_hash, url, position, status, annotations_created, detail, processed_at)
        select $1::text, 'exec_' || n, md5(n::text), 'http://127.0.0.1:9/', 0, 'completed', 0, '{}', ${NOW} from ${rows()}`,
    ],
  },
  documents: {
    rows: 100_000,
    what: 'documents in a tree of folders, ten in a folder and ten folders in each',
    tables: ['folders', 'documents'],
    fill: [
      `with recursive tree as (
          select n as id, array[]::text[] as ancestors from generate_series(1, least(10, $2::integer / 10)) as n
          union all
          select tree.id * 10 + k, tree.ancestors || ('folder-' || tree.id)
          from tree, generate_series(1, 10) as k where tree.id * 10 + k <= $2::integer / 10)
        insert into folders (api_key_id, organization_id, folder_id, name, parent_id, ancestors, metadata, created_at, updated_at)
        select $1::text, 'tree', 'folder-' || id, 'Folder ' || id, ancestors[cardinality(ancestors)], ancestors, '{}',
          1700000000000 + id, 1700000000000 + id from tree`,
      `insert into documents (api_key_id, organization_id, document_id, name, folder_id, disabled, metadata,
          next_annotation_number, created_at, updated_at)
        select $1::text, 'tree', 'document-' || n, 'Document ' || n, 'folder-' || (n % ($2::integer / 10) + 1), false, '{}', 1,
          1700000000000 + n, 1700000000000 + n from ${rows()}`,
    ],
  },
};

/**
 * Fills a part. Foreign keys are not checked, and indexes are made after the rows: both would take most of the time.
 */
export async function fillPart(
  client: pg.Client,
  name: string,
  apiKeyId: string,
  count: number,
): Promise<void> {
  const part = PARTS[name]!;
  const indexes = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = any($1)
      and not exists (select 1 from pg_constraint where conname = indexname)`,
    [part.tables],
  );
  await client.query("set session_replication_role = replica; set maintenance_work_mem = '1GB'; begin");
  for (const { indexname } of indexes.rows) await client.query(`drop index ${indexname}`);
  for (const statement of part.fill) await client.query(statement, [apiKeyId, count]);
  for (const { indexdef } of indexes.rows) await client.query(indexdef);
  await client.query('insert into growth_parts values ($1)', [name]);
  await client.query('commit');
  for (const table of part.tables) await client.query(`vacuum analyze ${table}`);
}
