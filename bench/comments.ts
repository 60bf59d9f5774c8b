import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import add from '../src/api/commentannotations/comments/add.ts';
import { openDatabase } from '../src/db/connections/connect.ts';
import type { OneStatement } from '../src/http/endpoint.ts';
import { parseData } from '../src/http/request/parse.ts';
import { capturing } from '../test/database/captured-queries.ts';
import { compare, freePort, median, newDatabase, newKey, post, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';

// Measures comments/add with one comment, and commentannotations/add with one annotation of one comment. The references
// are parse-server, which creates an object with the same content, and for comments/add also a bare Fastify route that
// sends the same statement. All use the PostgreSQL of DATABASE_URL.
const databaseUrl = await newDatabase('comments');
const WIDTH = 32;
const rounds = {
  width: WIDTH,
  rounds: Number(process.env.ROUNDS ?? 4),
  ms: Number(process.env.ROUND_MS ?? 4_000),
};
const THREADS = 200;

try {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const oursUrl = await start('src/main.ts', {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    REDPEN_DATA_DIR: folder,
    REDPEN_WORKSPACE_RATE: '1000000',
    REDPEN_KEY_RATE: '1000000',
  });
  const ours = new Pool(oursUrl, { connections: WIDTH });
  const { apiKeyId, workspaceId, headers } = await newKey(ours);
  const place = { organizationId: 'acme', documentId: 'home' };
  const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
  const comment = { commentText: 'The headline could be shorter. '.repeat(5), from };
  const annotationIds = Array.from({ length: THREADS }, (_, index) => `thread-${index}`);
  await post(
    ours,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [place] },
    headers,
  );
  await post(
    ours,
    '/v2/commentannotations/add',
    {
      ...place,
      commentAnnotations: annotationIds.map((annotationId) => ({ annotationId, commentData: [comment] })),
    },
    headers,
  );

  const body = { ...place, annotationId: annotationIds[0], commentData: [comment] };
  const database = await openDatabase({ databaseUrl, onError: console.error });
  const { db, queries } = capturing(database.db);
  const context = { db, caller: { apiKeyId, workspaceId }, attempt: 0 };
  const prepared = (await add.handle(parseData(add.data, body), context)) as OneStatement<unknown, number[]>;
  const rows = await prepared.statement.run(db);
  const [commentId] = await prepared.result(rows);
  await database.close();
  const [statement] = queries;
  if (!statement || queries.length > 1) throw new Error(`comments/add sent ${queries.length} statements.`);
  const file = join(folder, 'statement.json');
  writeFileSync(file, JSON.stringify(statement));
  const bareUrl = await start('bench/bare-sql.ts', {
    DATABASE_URL: databaseUrl,
    STATEMENT: file,
    THREADS: String(THREADS),
    COMMENT_ID: String(commentId),
  });
  const bare = new Pool(bareUrl, { connections: WIDTH });

  const parseUrl = await start('bench/parse-server.ts', {
    DATABASE_URL: await newDatabase('parse'),
    PARSE_SERVER_LOGS_FOLDER: folder,
    PORT: String(await freePort()),
  });
  const parse = new Pool(parseUrl, { connections: WIDTH });

  const bodies = annotationIds.map((annotationId) => JSON.stringify({ data: { ...body, annotationId } }));
  let turn = 0;
  const nextBody = () => bodies[turn++ % THREADS]!;
  const json = { 'content-type': 'application/json' };
  const rates = await compare(
    {
      ours: {
        client: ours,
        server: oursUrl,
        headers,
        path: '/v2/commentannotations/comments/add',
        body: nextBody,
      },
      threads: {
        client: ours,
        server: oursUrl,
        headers,
        path: '/v2/commentannotations/add',
        body: JSON.stringify({ data: { ...place, commentAnnotations: [{ commentData: [comment] }] } }),
      },
      bare: {
        client: bare,
        server: bareUrl,
        headers: json,
        path: '/comment',
        body: JSON.stringify({ data: comment }),
      },
      parse: {
        client: parse,
        server: parseUrl,
        headers: { ...json, 'x-parse-application-id': 'bench' },
        path: '/parse/classes/Comment',
        body: JSON.stringify({ ...place, annotationId: 'thread-0', ...comment }),
      },
    },
    rounds,
  );
  const print = (operation: string, own: number[], reference: string, values: number[]) => {
    const ratios = own.map((rate, index) => rate / values[index]!);
    console.log(
      `${operation}: ${median(own).toFixed(0)}/s, ${reference} ${median(values).toFixed(0)}/s, ratio ${median(ratios).toFixed(2)} (${ratios
        .map((ratio) => ratio.toFixed(2))
        .join(', ')})`,
    );
  };
  report({
    name: `comments/add, ${WIDTH} at once`,
    value: median(rates.ours),
    unit: '/s',
    references: { 'parse-server': median(rates.parse), 'a bare route': median(rates.bare) },
  });
  report({
    name: `commentannotations/add, ${WIDTH} at once`,
    value: median(rates.threads),
    unit: '/s',
    references: { 'parse-server': median(rates.parse) },
  });
  print('comments/add', rates.ours, 'the bare route', rates.bare);
  print('comments/add', rates.ours, 'parse-server', rates.parse);
  print('commentannotations/add', rates.threads, 'parse-server', rates.parse);
} finally {
  stopAll();
}
