import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Pool } from 'undici';
import type { Db } from '../src/db/tables.ts';
import type { EventName } from '../src/events/event-catalog.ts';
import { randomId } from '../src/lib/ids.ts';
import { newKey, post, start } from './closed-loop.ts';

/** A service of ours whose one API key has endpoints at a receiver. */
export interface OurService {
  apiKeyId: string;
  workspaceId: string;
  headers: Record<string, string>;
  client: Pool;
  endpointIds: string[];
  /** Of each endpoint, by its path. */
  secrets: Record<string, string>;
}

export interface Served {
  url: string;
  dataDir: string;
}

/** Starts it on a database, or embedded in the folder. */
export async function serve(databaseUrl: string | undefined, dataDir?: string): Promise<Served> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const url = await start('src/main.ts', {
    PORT: '0',
    REDPEN_DATA_DIR: folder,
    REDPEN_ALLOW_HOSTS: '127.0.0.1',
    REDPEN_WORKSPACE_RATE: '1000000',
    REDPEN_KEY_RATE: '1000000',
    // One that is not given must not come from the environment of the benchmark.
    DATABASE_URL: databaseUrl,
  });
  return { url, dataDir: folder };
}

/** An API key of it with an endpoint at each of the URLs. */
export async function withEndpoints(url: string, urls: string[], more: object = {}): Promise<OurService> {
  const client = new Pool(url, { connections: 32 });
  const { apiKeyId, workspaceId, headers } = await newKey(client);
  await post(client, '/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }, headers);
  const endpointIds: string[] = [];
  const secrets: Record<string, string> = {};
  for (const one of urls) {
    const path = '/v2/workspace/advancedwebhook/endpoints';
    const { id: endpointId } = await post(client, `${path}/create`, { url: one, ...more }, headers);
    const { secret } = await post(client, `${path}/secret/get`, { endpointId }, headers);
    endpointIds.push(endpointId);
    secrets[new URL(one).pathname] = secret;
  }
  return { apiKeyId, workspaceId, headers, client, endpointIds, secrets };
}

/** Deliveries that are ready, to each endpoint so many, on threads of five; nobody is told of them yet. */
export async function insertDeliveries(
  db: Db,
  { apiKeyId }: Pick<OurService, 'apiKeyId'>,
  { endpointIds, count, body }: { endpointIds: string[]; count: number; body: string },
): Promise<void> {
  const now = Date.now();
  const round = `evt_${now}`;
  await sql`insert into webhook_messages (api_key_id, message_id, seq, event_type, body, created_at)
    select ${apiKeyId}, ${round} || '_' || n, cast(${now} as bigint) * 1000 + n, 'comment.add', cast(${body} as text), cast(${now} as bigint)
    from generate_series(1, cast(${count} as integer)) as n`.execute(db);
  for (const endpointId of endpointIds) {
    await sql`insert into webhook_deliveries
      (api_key_id, message_id, endpoint_id, seq, order_key, status, tries, next_at, attempts, created_at)
      select ${apiKeyId}, ${round} || '_' || n, ${endpointId}, cast(${now} as bigint) * 1000 + n,
        ${round} || ${endpointId} || n % (cast(${count} as integer) / 5 + 1), 'waiting', 0, cast(${now} as bigint), '[]', cast(${now} as bigint)
      from generate_series(1, cast(${count} as integer)) as n`.execute(db);
  }
  await sql`analyze`.execute(db);
}

export const wake = (db: Db, { apiKeyId }: Pick<OurService, 'apiKeyId'>, endpointIds: string[]) =>
  sql`update webhook_lanes set next_at = ${Date.now()}
    where api_key_id = ${apiKeyId} and endpoint_id = any(array[${sql.join(endpointIds)}])`.execute(db);

const TEMPLATES = 200;

/** Raises events of both kinds, which can be copied. */
export async function raiseEvents({ client, headers }: OurService): Promise<void> {
  const places = Array.from({ length: TEMPLATES }, (_, index) => ({
    documentId: `document-${index}`,
    documentName: 'A page of ordinary length',
  }));
  for (const way of ['add', 'update']) {
    const data = { organizationId: 'acme', documents: places };
    await post(client, `/v2/organizations/documents/${way}`, data, headers);
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

/** Events of one kind as they were raised, new and unheard. */
export async function insertEvents(
  db: Db,
  { apiKeyId }: Pick<OurService, 'apiKeyId'>,
  name: EventName,
  count: number,
): Promise<void> {
  const now = Date.now();
  await sql`insert into events (api_key_id, workspace_id, event_id, name, payload, created_at, relayed_at)
    select api_key_id, workspace_id, concat_ws('_', 'evt', ${randomId(10)}::text, n, place), name, payload,
      cast(${now} as bigint), null
    from (select *, row_number() over (order by seq) as place from events
      where api_key_id = ${apiKeyId} and name = ${name} order by seq limit ${TEMPLATES}) as told,
      generate_series(1, cast(${Math.ceil(count / TEMPLATES)} as integer)) as n
    order by n, place limit ${count}`.execute(db);
}

/** Waits until what came of all deliveries is written. */
export async function untilWritten(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from webhook_deliveries where status = 'waiting' and tries = 0)
        + (select count(*) from events where relayed_at is null) as left`.execute(db);
    if (Number(rows[0]!.left) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
