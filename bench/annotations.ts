import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { Pool } from 'undici';
import get from '../src/api/commentannotations/get.ts';
import { openDatabase } from '../src/db/connect.ts';
import { parseData } from '../src/http/request/parse.ts';
import { createKeyring } from '../src/lib/crypto.ts';
import { capturing } from '../test/captured-queries.ts';
import { median, newDatabase, newKey, post, quantile, round, start, stopAll } from './closed-loop.ts';

// annotations/get of 100 annotations with 5 comments each: how many statements it takes, how far its p99 is
// from its p50, and how its cost grows from a document of 1,000 annotations over 10,000 to one of 1,000,000, at
// the first page and at a deep one. On the PostgreSQL of DATABASE_URL, filled by COPY.
const databaseUrl = await newDatabase('annotations');
const SIZES = [1_000, 10_000, Number(process.env.ROWS ?? 1_000_000)];
const COMMENTS = 5;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = Number(process.env.ROUND_MS ?? 3_000);
const organizationId = 'acme';
const documentOf = (size: number) => `document-${size}`;

const text = 'The headline could be shorter, and say what is new. '.repeat(3);
const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
const csv = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;

function* annotationRows(apiKeyId: string, size: number) {
  const body = csv(
    JSON.stringify({ from, type: 'comment', status: { id: 'OPEN', name: 'Open', type: 'default' } }),
  );
  for (let n = 1; n <= size; n++) {
    yield `${apiKeyId},${organizationId},${documentOf(size)},annotation-${n},${n},ada,OPEN,${body},${n},${n}\n`;
  }
}

function* commentRows(apiKeyId: string, size: number) {
  const body = csv(JSON.stringify({ from, commentText: text, commentHtml: `<p>${text}</p>` }));
  for (let n = 1; n <= size; n++) {
    for (let at = 0; at < COMMENTS; at++) {
      yield `${apiKeyId},${organizationId},${documentOf(size)},annotation-${n},${100_000 + at},ada,${body},${n},${n}\n`;
    }
  }
}

async function copy(client: pg.Client, into: string, rows: Iterable<string>): Promise<void> {
  // By a name that is not resolved before it runs: the product's type check knows nothing of it.
  const { from: copyFrom } = await import(['pg-copy-streams'].join());
  await pipeline(Readable.from(rows), client.query(copyFrom(`copy ${into} from stdin (format csv)`)));
}

try {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const service = new Pool(
    await start('src/main.ts', {
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDPEN_DATA_DIR: folder,
      REDPEN_WORKSPACE_RATE: '1000000',
      REDPEN_KEY_RATE: '1000000',
    }),
    { connections: 8 },
  );
  const { apiKeyId, workspaceId, headers } = await newKey(service);
  const documents = SIZES.map((size) => ({ documentId: documentOf(size) }));
  await post(service, '/v2/organizations/documents/add', { organizationId, documents }, headers);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const size of SIZES) {
    await copy(
      client,
      'annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number, author_id, status_id, body, created_at, last_updated)',
      annotationRows(apiKeyId, size),
    );
    await copy(
      client,
      'comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body, created_at, last_updated)',
      commentRows(apiKeyId, size),
    );
  }
  await client.query('vacuum analyze annotations');
  await client.query('vacuum analyze comments');
  await client.end();

  const path = '/v2/commentannotations/get';
  const pageOf = (size: number) => ({ organizationId, documentId: documentOf(size), pageSize: 100 });
  const deep = async (size: number) => {
    let pageToken: string | undefined;
    // Half of the way down; whole pages are the largest steps there are.
    for (let seen = 0; seen < Math.min(size / 2, 20_000); seen += 1_000) {
      const { body } = await service.request({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify({ data: { ...pageOf(size), pageSize: Math.min(1_000, size / 2), pageToken } }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
      pageToken = ((await body.json()) as any).result.nextPageToken;
    }
    return { ...pageOf(size), pageToken };
  };

  const database = await openDatabase({ databaseUrl, onError: console.error });
  const { db, queries } = capturing(database.db);
  const keyring = createKeyring([Buffer.alloc(32, 1)]);
  await get.handle(parseData(get.data, pageOf(10_000)), { db, caller: { apiKeyId, workspaceId }, keyring });
  await database.close();
  console.log(`a page of 100 annotations takes ${queries.length} statements`);

  const sides: Record<string, object> = {};
  for (const size of SIZES) {
    sides[`${size}, first page`] = pageOf(size);
    sides[`${size}, deep page`] = await deep(size);
  }
  const times: Record<string, number[][]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let index = 0; index <= ROUNDS; index++) {
    for (const [name, data] of Object.entries(sides)) {
      const body = JSON.stringify({ data });
      const measured = await round(
        { client: service, headers, path, body },
        1,
        ROUND_MS / (index === 0 ? 3 : 1),
      );
      if (index > 0) times[name]!.push(measured);
    }
  }
  const base = median(times['1000, first page']!.map((round) => quantile(round, 0.5)));
  for (const [name, rounds] of Object.entries(times)) {
    const p50 = median(rounds.map((round) => quantile(round, 0.5)));
    const p99 = median(rounds.map((round) => quantile(round, 0.99)));
    console.log(
      `${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (${(p99 / p50).toFixed(2)} times), p50 against the first page of 1000: ${(p50 / base).toFixed(2)}`,
    );
  }
} finally {
  stopAll();
}
