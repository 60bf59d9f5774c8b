import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Pool } from 'undici';
import type { Db } from '../src/db/tables.ts';
import type { EventName } from '../src/events/event-catalog.ts';
import { randomId } from '../src/lib/ids.ts';
import { newKey, post, start } from './closed-loop.ts';

/** An API key of Redpen with webhook endpoints at a receiver. */
export interface WebhookTenant {
  apiKeyId: string;
  workspaceId: string;
  headers: Record<string, string>;
  client: Pool;
  endpointIds: string[];
  /** Secret of each endpoint, by the path of its URL. */
  secrets: Record<string, string>;
}

export interface RunningService {
  url: string;
  dataDir: string;
}

/** Starts Redpen on a database, or on an embedded PostgreSQL in `dataDir`. */
export async function serve(databaseUrl: string | undefined, dataDir?: string): Promise<RunningService> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const url = await start('src/main.ts', {
    PORT: '0',
    REDPEN_DATA_DIR: folder,
    REDPEN_ALLOW_HOSTS: '127.0.0.1',
    REDPEN_WORKSPACE_RATE: '1000000',
    REDPEN_KEY_RATE: '1000000',
    // Passed even if undefined, so that the service does not inherit that of the benchmark.
    DATABASE_URL: databaseUrl,
  });
  return { url, dataDir: folder };
}

/** Creates an API key with a webhook endpoint at each of the URLs. */
export async function withEndpoints(
  url: string,
  urls: string[],
  options: object = {},
): Promise<WebhookTenant> {
  const client = new Pool(url, { connections: 32 });
  const { apiKeyId, workspaceId, headers } = await newKey(client);
  await post(client, '/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }, headers);
  const endpointIds: string[] = [];
  const secrets: Record<string, string> = {};
  for (const endpointUrl of urls) {
    const path = '/v2/workspace/advancedwebhook/endpoints';
    const { id: endpointId } = await post(
      client,
      `${path}/create`,
      { url: endpointUrl, ...options },
      headers,
    );
    const { secret } = await post(client, `${path}/secret/get`, { endpointId }, headers);
    endpointIds.push(endpointId);
    secrets[new URL(endpointUrl).pathname] = secret;
  }
  return { apiKeyId, workspaceId, headers, client, endpointIds, secrets };
}

/** Inserts `count` due deliveries per endpoint, about five per order key. They are sent only after `wake`. */
export async function insertDeliveries(
  db: Db,
  { apiKeyId }: Pick<WebhookTenant, 'apiKeyId'>,
  { endpointIds, count, body }: { endpointIds: string[]; count: number; body: string },
): Promise<void> {
  const now = Date.now();
  const prefix = `evt_${now}`;
  await sql`insert into webhook_messages (api_key_id, message_id, seq, event_type, body, created_at)
    select ${apiKeyId}, ${prefix} || '_' || n, cast(${now} as bigint) * 1000 + n, 'comment.add', cast(${body} as text), cast(${now} as bigint)
    from generate_series(1, cast(${count} as integer)) as n`.execute(db);
  for (const endpointId of endpointIds) {
    await sql`insert into webhook_deliveries
      (api_key_id, message_id, endpoint_id, seq, order_key, status, tries, next_at, attempts, created_at)
      select ${apiKeyId}, ${prefix} || '_' || n, ${endpointId}, cast(${now} as bigint) * 1000 + n,
        ${prefix} || ${endpointId} || n % (cast(${count} as integer) / 5 + 1), 'waiting', 0, cast(${now} as bigint), '[]', cast(${now} as bigint)
      from generate_series(1, cast(${count} as integer)) as n`.execute(db);
  }
  await sql`analyze`.execute(db);
}

/** Makes the lanes of endpoints due, so that the service sends their deliveries. */
export const wake = (db: Db, { apiKeyId }: Pick<WebhookTenant, 'apiKeyId'>, endpointIds: string[]) =>
  sql`update webhook_lanes set next_at = ${Date.now()}
    where api_key_id = ${apiKeyId} and endpoint_id = any(array[${sql.join(endpointIds)}])`.execute(db);

const TEMPLATES = 200;

/** Raises events of documents and annotations, which `insertEvents` copies. */
export async function raiseEvents({ client, headers }: WebhookTenant): Promise<void> {
  const places = Array.from({ length: TEMPLATES }, (_, index) => ({
    documentId: `document-${index}`,
    documentName: 'A page of ordinary length',
  }));
  for (const operation of ['add', 'update']) {
    const data = { organizationId: 'acme', documents: places };
    await post(client, `/v2/organizations/documents/${operation}`, data, headers);
  }
  const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
  const commentText = 'The headline could be shorter. '.repeat(5);
  const commentAnnotations = places.map(({ documentId }) => ({
    annotationId: `thread-${documentId}`,
    commentData: [{ commentText, from, triggerNotification: true }],
  }));
  const data = { organizationId: 'acme', documentId: 'document-0', commentAnnotations };
  await post(client, '/v2/commentannotations/add', data, headers);
}

/** Inserts `count` events that are not relayed yet: copies of the raised events with this name. */
export async function insertEvents(
  db: Db,
  { apiKeyId }: Pick<WebhookTenant, 'apiKeyId'>,
  name: EventName,
  count: number,
): Promise<void> {
  const now = Date.now();
  await sql`insert into events (api_key_id, workspace_id, event_id, name, payload, created_at, relayed_at)
    select api_key_id, workspace_id, concat_ws('_', 'evt', ${randomId(10)}::text, n, place), name, payload,
      cast(${now} as bigint), null
    from (select *, row_number() over (order by seq) as place from events
      where api_key_id = ${apiKeyId} and name = ${name} order by seq limit ${TEMPLATES}) as templates,
      generate_series(1, cast(${Math.ceil(count / TEMPLATES)} as integer)) as n
    order by n, place limit ${count}`.execute(db);
}

/** Waits until every event is relayed and a first attempt of every delivery is recorded. */
export async function waitUntilSettled(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from webhook_deliveries where status = 'waiting' and tries = 0)
        + (select count(*) from events where relayed_at is null) as left`.execute(db);
    if (Number(rows[0]!.left) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
