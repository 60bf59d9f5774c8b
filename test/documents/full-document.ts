import { sql } from 'kysely';
import { json } from '../../src/db/sql-fragments.ts';
import type { Db } from '../../src/db/tables.ts';
import type { TestWorkspace } from '../service/harness.ts';

type Row = Record<string, unknown>;

const insert = (db: Db, table: string, rows: Row[]) =>
  sql`insert into ${sql.table(table)}
    select * from jsonb_populate_recordset(null::${sql.table(table)}, ${json(rows)})`.execute(db);

/** Creates a document with rows in every table that can refer to one; `name` makes the ids of two documents differ. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of calls, one for each table.
export async function fillDocument(
  db: Db,
  w: TestWorkspace,
  documentId: string,
  {
    name = documentId,
    annotations = 2,
    at = 1_000,
  }: { name?: string; annotations?: number; at?: number } = {},
): Promise<void> {
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    folderId: 'f',
    documents: [{ documentId, documentName: `Name of ${documentId}`, colour: documentId }],
  });
  const place = { api_key_id: w.apiKeyId, organization_id: 'o', document_id: documentId };
  const times = { created_at: at, updated_at: at };
  const ids = Array.from({ length: annotations }, (_, index) => `${name}-${index}`);
  await insert(
    db,
    'annotations',
    ids.map((annotation_id, index) => ({
      ...place,
      annotation_id,
      annotation_number: index + 1,
      author_id: 'ada',
      status_id: 'OPEN',
      body: { from: { userId: 'ada' }, metadata: { documentId } },
      created_at: at,
      last_updated: at,
    })),
  );
  await sql`update documents set next_annotation_number = ${annotations + 1}
    where api_key_id = ${w.apiKeyId} and document_id = ${documentId}`.execute(db);
  await insert(
    db,
    'comments',
    ids.flatMap((annotation_id) =>
      [1, 2].map((comment_id) => ({
        ...place,
        annotation_id,
        comment_id,
        author_id: 'ada',
        body: { commentText: `${annotation_id} ${comment_id}` },
        created_at: at,
        last_updated: at,
      })),
    ),
  );
  await insert(
    db,
    'annotation_views',
    ids.map((annotation_id) => ({ ...place, annotation_id, user_id: 'bob', viewed_at: at })),
  );
  await insert(
    db,
    'reactions',
    ids.map((annotation_id) => ({
      ...place,
      annotation_id,
      comment_id: 1,
      reaction_id: 'agree',
      user_id: 'bob',
      author: { userId: 'bob' },
      created_at: at,
    })),
  );
  const notification = {
    notification_id: `${name}-n`,
    source: 'custom',
    action_user_id: 'ada',
    for_all: true,
  };
  await insert(db, 'notifications', [{ ...place, ...notification, body: {}, ...times }]);
  await insert(db, 'notification_settings', [
    { ...place, user_id: 'bob', config: { from: name }, updated_at: at },
  ]);
  const activity = {
    activity_id: `${name}-a`,
    feature_type: 'comment',
    action_type: 'added',
    user_id: 'ada',
  };
  await insert(db, 'activities', [{ ...place, ...activity, immutable: true, body: {}, ...times }]);
  await insert(db, 'presence', [
    { ...place, user_id: 'bob', status: 'online', body: { from: name }, updated_at: at },
  ]);
  const bytes = Buffer.from([0, 0]);
  await sql`insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation, snapshot,
      snapshot_version, created_at, last_update, dirty_since)
    values (${w.apiKeyId}, 'o', ${documentId}, ${name}, ${name}, ${bytes}, 1, ${at}, ${at}, null)`.execute(
    db,
  );
  await sql`insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
    values (${w.apiKeyId}, 'o', ${documentId}, ${name}, ${bytes}, ${at})`.execute(db);
  await sql`insert into crdt_snapshots (api_key_id, organization_id, document_id, editor_id, snapshot_id, name,
      state, created_at)
    values (${w.apiKeyId}, 'o', ${documentId}, ${name}, 's', 'S', ${bytes}, ${at})`.execute(db);
  await insert(db, 'crdt_deletions', [
    { ...place, editor_id: 'gone', client_ids: [at, at + 1], deleted_at: at },
  ]);
  await insert(db, 'live_states', [{ ...place, live_state_id: 'l', data: { from: name }, updated_at: at }]);
  const grant = { resource_type: 'document', resource_id: documentId, access_role: 'viewer' };
  await insert(
    db,
    'grants',
    ['bob', name].map((user_id) => ({
      ...place,
      ...grant,
      user_id,
      access_fields: [`from:${name}`],
      ...times,
    })),
  );
  const execution = { execution_id: `${name}-x`, agent_id: 'a', agent_name: 'A', agent_version: 1 };
  await insert(db, 'executions', [
    {
      ...place,
      ...execution,
      status: 'passed',
      seed_url: 'https://example.com/',
      request: {},
      trigger: 'standalone',
      outcome: {},
      started_at: at,
      lease_until: 0,
      attempts: 1,
    },
  ]);
  await insert(db, 'finding_records', [
    {
      ...place,
      ...finding(`${name}-x`, at),
      finding_id: `${name}-f`,
      fingerprint: name,
    },
  ]);
  await insert(db, 'review_schedules', [
    {
      ...place,
      ...times,
      ...{ schedule_id: `${name}-r`, name, cron: '0 7 * * *', time_zone: 'UTC', enabled: false },
      request: {},
      next_at: at,
    },
  ]);
  await fillMemory(db, place, name, at);
}

/** Inserts the rows of the memory that refer to the document. */
async function fillMemory(db: Db, place: Row, name: string, at: number): Promise<void> {
  const judgment_id = `${name}-j`;
  const judgment = {
    judgment_id,
    annotation_id: `${name}-0`,
    origin: 'comment',
    decision: 'comment',
    reasoning: name,
    judge_type: 'human',
    reviewer_id: 'ada',
    action_user: { userId: 'ada' },
    created_at: at,
    recorded_at: at,
    embedded_with: 'test',
    claimed_until: 0,
  };
  await insert(db, 'judgments', [{ ...place, ...judgment }]);
  const vector = { kind: 'review', window_index: 0, model: 'test', embedding: '\\x7fff0000' };
  await insert(db, 'judgment_vectors', [{ api_key_id: place.api_key_id, judgment_id, ...vector }]);
  const file = { mime_type: 'text/plain', byte_size: 1, created_at: at };
  const content = { api_key_id: place.api_key_id, content_id: `${name}-k` };
  await sql`insert into knowledge_contents (api_key_id, content_id, sha256, mime_type, byte_size, blob_key, status,
      due_at, created_at, updated_at)
    values (${place.api_key_id}, ${content.content_id}, ${name}, 'text/plain', 1, ${name}, 'completed', 0, ${at}, ${at})
  `.execute(db);
  await insert(db, 'knowledge_sources', [
    { ...place, ...content, source_id: `${name}-k`, file_name: name, uploaded_at: at },
  ]);
  const attachment = {
    file_name: 'x',
    mime_type: 'text/plain',
    byte_size: 1,
    created_at: at,
    upload_until: at,
  };
  await insert(db, 'attachments', [
    { ...place, ...attachment, attachment_id: `${name}-f` },
    {
      ...place,
      ...attachment,
      attachment_id: `${name}-g`,
      annotation_id: `${name}-0`,
      comment_id: 1,
      used_at: at,
    },
  ]);
  await insert(db, 'knowledge_uploads', [{ ...place, ...file, upload_id: `${name}-u`, expires_at: at }]);
}

/** The rows of a tenant that refer to a document, by table, without the history in `document_migrations`, `live_events` and `audit_log`. */
export async function documentRows(db: Db, w: TestWorkspace): Promise<Record<string, Row[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'document_id'
      and table_name not in ('document_migrations', 'live_events', 'audit_log')
    order by table_name`.execute(db);
  const found: Record<string, Row[]> = {};
  for (const { name } of [...tables, { name: 'grants' }]) {
    // `changed` is the transaction that wrote the row, and no data of the document.
    const { rows } = await sql<{
      row: Row;
    }>`select to_jsonb(t) - 'changed' as row from ${sql.table(name)} as t
      where api_key_id = ${w.apiKeyId} order by (to_jsonb(t) - 'changed')::text`.execute(db);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const finding = (executionId: string, at: number) => ({
  agent_id: 'a',
  page_hash: 'p',
  page_url: 'https://example.com/',
  severity: 'low',
  issue_type: 'spelling',
  state: 'new',
  first_seen_at: at,
  last_seen_at: at,
  seen_count: 1,
  first_execution_id: executionId,
  last_execution_id: executionId,
  body: {},
});
