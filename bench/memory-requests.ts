import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'undici';
import { openDatabase } from '../src/db/connections/connect.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import { median, newDatabase, newKey, post, quantile, round, type Side } from './closed-loop.ts';
import { report } from './figures.ts';
import { type BenchJudgment, benchJudgments, fillJudgments, vectorsNear } from './judgment-rows.ts';

// Measures requests to the memory over HTTP, as users get them: p50 of memory/search among 100,000 judgments in a scope
// of 1 %, for repeated and for new queries, and for a small API key the calls per second of memory/search and
// memory/suggest, 16 at once, compared with documents/get of one document in the same rounds. If BEFORE names another
// checkout of Redpen with its packages, both are measured in turns. Uses the server of DATABASE_URL.
const ROWS = Number(process.env.ROWS ?? 100_000);
const QUERIES = Number(process.env.QUERIES ?? 200);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROUND_MS = Number(process.env.ROUND_MS ?? 3_000);
const WIDTH = 16;
const ORGANIZATIONS = 100;
const SMALL = { documents: 50, threads: 1_000, judgments: 2_000, organizations: 5 };

const checkouts: Record<string, string> = {
  ...(process.env.BEFORE && { before: resolve(process.env.BEFORE) }),
  now: resolve(import.meta.dirname, '..'),
};

const subjects = 'button headline price form table caption link footer logo menu'.split(' ');
const repeated = subjects.map((subject) => `is the contrast of the ${subject} on the pricing page too low`);
let turns = 0;
/** A query that no earlier one equals. */
const newQuery = (): string => {
  const turn = turns++;
  return `does the ${subjects[turn % subjects.length]} of plan ${turn} claim more than we know`;
};

const embeddings = createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } });
const vectorsOf = (judgments: readonly BenchJudgment[]) => vectorsNear(judgments, embeddings.current);
const large = benchJudgments(ROWS, ORGANIZATIONS);
const small = benchJudgments(SMALL.judgments, SMALL.organizations, 2);
const [largeVectors, smallVectors] = [await vectorsOf(large), await vectorsOf(small)];
const contentVectors: Float32Array[] = [];
for (let at = 0; at < small.length; at += 64) {
  const contents = small.slice(at, at + 64).map(({ content }) => content);
  contentVectors.push(...(await embeddings.current.embed(contents)).map(([vector]) => vector!));
}
const { model } = embeddings.current;
await embeddings.close();

interface Service {
  child: ChildProcess;
  client: Pool;
  sides: Record<string, Side>;
  search(query: string, organizationId: string): Promise<number>;
  suggest(query: string): Promise<number>;
  firstMs: number;
}

const folders: string[] = [];

async function start(name: string, root: string): Promise<Service> {
  const databaseUrl = await newDatabase(`memory_requests_${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  folders.push(folder);
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      REDPEN_DATA_DIR: folder,
      REDPEN_WORKSPACE_RATE: '1000000',
      REDPEN_KEY_RATE: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(chunk.toString())?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => fail(new Error(`${root} ended with ${code}`)));
  });
  const client = new Pool(url, { connections: WIDTH });
  const [largeKey, smallKey] = [await newKey(client), await newKey(client)];
  const database = await openDatabase({ databaseUrl, onError: console.error });
  await fillJudgments(database.db, largeKey, large, model, largeVectors);
  await fillJudgments(database.db, smallKey, small, model, smallVectors, contentVectors);
  await database.close();
  await fillDocuments(client, smallKey.headers);

  const ask = async (headers: Record<string, string>, path: string, data: object): Promise<number> => {
    const startedAt = performance.now();
    const response = await client.request({ method: 'POST', path, headers, body: JSON.stringify({ data }) });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${path}: ${text}`);
    return performance.now() - startedAt;
  };
  const place = (turn: number) => ({
    organizationId: 'acme',
    documentIds: [`page-${turn % SMALL.documents}`],
  });
  const judged = (turn: number) => ({
    organizationId: `organization-${turn % SMALL.organizations}`,
    documentId: `document-${turn % SMALL.documents}`,
  });
  let turn = 0;
  const side = (path: string, data: () => object): Side => ({
    client,
    headers: smallKey.headers,
    path,
    body: () => JSON.stringify({ data: data() }),
  });
  const known = () => repeated[turn++ % repeated.length]!;
  return {
    child,
    client,
    sides: {
      'documents/get': side('/v2/organizations/documents/get', () => place(turn++)),
      'memory/search, repeated': side('/v2/memory/search', () => ({ query: known(), ...judged(turn) })),
      'memory/search, new': side('/v2/memory/search', () => ({ query: newQuery(), ...judged(turn++) })),
      'memory/suggest, repeated': side('/v2/memory/suggest', () => ({ query: known(), ...judged(turn) })),
      'memory/suggest, new': side('/v2/memory/suggest', () => ({ query: newQuery(), ...judged(turn++) })),
    },
    search: (query, organizationId) =>
      ask(largeKey.headers, '/v2/memory/search', { query, organizationId, limit: 10 }),
    suggest: (query) => ask(smallKey.headers, '/v2/memory/suggest', { query, ...judged(turn++) }),
    firstMs: await ask(largeKey.headers, '/v2/memory/search', { query: repeated[0], limit: 10 }),
  };
}

async function fillDocuments(client: Pool, headers: Record<string, string>): Promise<void> {
  const documents = Array.from({ length: SMALL.documents }, (_, index) => ({ documentId: `page-${index}` }));
  await post(client, '/v2/organizations/documents/add', { organizationId: 'acme', documents }, headers);
  const commentData = [{ commentText: 'Too long.', from: { userId: 'ada', name: 'Ada' } }];
  const perDocument = SMALL.threads / SMALL.documents;
  for (const { documentId } of documents)
    await post(
      client,
      '/v2/commentannotations/add',
      {
        organizationId: 'acme',
        documentId,
        commentAnnotations: Array.from({ length: perDocument }, () => ({ commentData })),
      },
      headers,
    );
}

const times = async (many: number, work: (turn: number) => Promise<number>): Promise<string> => {
  for (let turn = 0; turn < 20; turn++) await work(turn);
  const all: number[] = [];
  for (let turn = 0; turn < many; turn++) all.push(await work(turn));
  return `p50 ${quantile(all, 0.5).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms`;
};

const services: Record<string, Service> = {};
try {
  for (const [name, root] of Object.entries(checkouts)) services[name] = await start(name, root);
  const organization = (turn: number) => `organization-${turn % ORGANIZATIONS}`;
  for (let turn = 0; turn < 2; turn++)
    for (const [name, { search, suggest, firstMs }] of Object.entries(services)) {
      if (turn === 0) console.log(`${name}: first search among ${ROWS}: ${firstMs.toFixed(0)} ms`);
      const again = (at: number) => search(repeated[at % repeated.length]!, organization(at));
      console.log(`${name}: search of 1 % of ${ROWS}, repeated queries: ${await times(QUERIES, again)}`);
      const fresh = (at: number) => search(newQuery(), organization(at));
      console.log(`${name}: search of 1 % of ${ROWS}, new queries: ${await times(QUERIES, fresh)}`);
      const alone = () => suggest(newQuery());
      console.log(`${name}: suggest among ${SMALL.judgments}, alone: ${await times(QUERIES / 4, alone)}`);
    }
  const rates: Record<string, Record<string, number[]>> = {};
  for (let turn = 0; turn <= ROUNDS; turn++)
    for (const [name, { sides }] of Object.entries(services))
      for (const [operation, side] of Object.entries(sides)) {
        const startedAt = performance.now();
        const all = await round(side, WIDTH, turn === 0 ? ROUND_MS / 2 : ROUND_MS);
        const rate = (all.length * 1_000) / (performance.now() - startedAt);
        // The first round is a warm-up.
        if (turn === 0) continue;
        rates[name] = { ...rates[name], [operation]: [...(rates[name]?.[operation] ?? []), rate] };
      }
  for (const [name, ofName] of Object.entries(rates))
    for (const [operation, all] of Object.entries(ofName)) {
      const share = median(all.map((rate, at) => rate / ofName['documents/get']![at]!));
      if (name === 'now') report({ name: `${operation}, ${WIDTH} at once`, value: median(all), unit: '/s' });
      console.log(
        `${name}: ${operation}, ${WIDTH} at once: ${median(all).toFixed(0)}/s, ${share.toFixed(3)}`,
      );
    }
} finally {
  for (const { child, client } of Object.values(services)) {
    await client.destroy();
    child.removeAllListeners('exit');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exit();
