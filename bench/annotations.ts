import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { Pool } from 'undici';
import get from '../src/api/commentannotations/get.ts';
import { openDatabase } from '../src/db/connections/connect.ts';
import { parseData } from '../src/http/request/parse.ts';
import { createKeyring } from '../src/lib/crypto.ts';
import { capturing } from '../test/database/captured-queries.ts';
import { median, newDatabase, newKey, post, quantile, round, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';

// Measures commentannotations/get with a page of 100 annotations of 5 comments each: the number of statements, the
// ratio of p99 to p50, and how the latency of the first page and of a deep page grows with the size of the document,
// from 1,000 annotations over 10,000 to 1,000,000. Uses the PostgreSQL of DATABASE_URL, filled by COPY.
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
    for (let index = 0; index < COMMENTS; index++) {
      yield `${apiKeyId},${organizationId},${documentOf(size)},annotation-${n},${100_000 + index},ada,${body},${n},${n}\n`;
    }
  }
}

async function copy(client: pg.Client, into: string, rows: Iterable<string>): Promise<void> {
  // The computed name keeps tsc from resolving a package that only bench/ installs.
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
  const deepPageOf = async (size: number) => {
    let pageToken: string | undefined;
    // Walks through the first half, up to 20,000 annotations, in pages of the maximum size.
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

  const pages: Record<string, object> = {};
  for (const size of SIZES) {
    pages[`${size}, first page`] = pageOf(size);
    pages[`${size}, deep page`] = await deepPageOf(size);
  }
  const times: Record<string, number[][]> = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
  for (let index = 0; index <= ROUNDS; index++) {
    for (const [name, data] of Object.entries(pages)) {
      const body = JSON.stringify({ data });
      const latencies = await round(
        { client: service, headers, path, body },
        1,
        ROUND_MS / (index === 0 ? 3 : 1),
      );
      if (index > 0) times[name]!.push(latencies);
    }
  }
  const base = median(times['1000, first page']!.map((round) => quantile(round, 0.5)));
  for (const [name, rounds] of Object.entries(times)) {
    const p50 = median(rounds.map((round) => quantile(round, 0.5)));
    const p99 = median(rounds.map((round) => quantile(round, 0.99)));
    report({ name: `a page of 100 annotations among ${name}, p50`, value: p50, unit: 'ms' });
    report({
      name: `a page of 100 annotations among ${name}, p99`,
      value: p99,
      unit: 'ms',
      references: { p50 },
    });
    console.log(
      `${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (ratio ${(p99 / p50).toFixed(2)}), p50 relative to the first page of 1000: ${(p50 / base).toFixed(2)}`,
    );
  }
} finally {
  stopAll();
}
