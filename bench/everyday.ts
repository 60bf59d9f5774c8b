import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { median, newKey, post, quantile, round, type Side } from './closed-loop.ts';
import { benchJudgments } from './judgment-rows.ts';
import { memoryOfTree } from './process-memory.ts';

// Measures what a user of `npm start` gets, with new data folders: cold and warm start, memory at rest, calls per
// second of ten everyday operations, memory/search, and the import of judgments. If BEFORE names another checkout of
// Redpen with its packages, both are measured in turns.
const WIDTH = 16;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROUND_MS = Number(process.env.ROUND_MS ?? 3_000);
const STARTS = Number(process.env.STARTS ?? 5);
const JUDGMENTS = Number(process.env.JUDGMENTS ?? 10_000);
const IDLE_MS = Number(process.env.QUIET_MS ?? 20_000);

const checkouts: Record<string, string> = {
  ...(process.env.BEFORE && { before: resolve(process.env.BEFORE) }),
  now: resolve(import.meta.dirname, '..'),
};

interface Running {
  child: ChildProcess;
  url: string;
  ms: number;
}

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  folders.push(folder);
  return folder;
};

/** Settings that lift the rate limits, as far as the checkout has them. */
const rateSettings = (root: string): Record<string, string> => {
  const source = readFileSync(join(root, 'src/config.ts'), 'utf8');
  const names = ['REDPEN_WORKSPACE_RATE', 'REDPEN_KEY_RATE'].filter((name) => source.includes(name));
  return Object.fromEntries(names.map((name) => [name, '1000000']));
};

async function start(root: string, dataDir: string): Promise<Running> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    env: { ...inherited, PORT: '0', REDPEN_DATA_DIR: dataDir, ...rateSettings(root) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(chunk.toString())?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => fail(new Error(`${root} ended with ${code}`)));
  });
  const health = await fetch(`${url}/health`);
  if (!health.ok) throw new Error(`${root} is not healthy`);
  return { child, url, ms: performance.now() - startedAt };
}

async function stop({ child }: Running): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const place = { organizationId: 'acme', documentId: 'home' };
const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
const commentData = [{ commentText: 'The headline could be shorter, and says the price twice.', from }];
const agent = {
  name: 'Bench',
  instructions: 'Find sentences that promise what the product does not do. '.repeat(5),
  contextGathering: { strategies: ['web-page-text'] },
  execution: { executionStrategy: 'ai' },
};

/** Ten operations of a new API key, with the rows that they need. */
async function createWorkload(
  url: string,
): Promise<{ client: Pool; headers: Record<string, string>; sides: Record<string, Side> }> {
  const client = new Pool(url, { connections: WIDTH });
  const { headers } = await newKey(client);
  const documents = Array.from({ length: 200 }, (_, index) => ({ documentId: `page-${index}` }));
  await post(
    client,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [place, ...documents] },
    headers,
  );
  const threads = Array.from({ length: 200 }, (_, index) => `thread-${index}`);
  for (let at = 0; at < threads.length; at += 50) {
    await post(
      client,
      '/v2/commentannotations/add',
      {
        ...place,
        commentAnnotations: threads.slice(at, at + 50).map((annotationId) => ({ annotationId, commentData })),
      },
      headers,
    );
  }
  const { agentId } = await post(client, '/v2/agents/create', agent, headers);
  let count = 0;
  const next = (): number => count++;
  const side = (path: string, data: (turn: number) => object): Side => ({
    client,
    headers,
    path,
    body: () => JSON.stringify({ data: data(next()) }),
  });
  const threadOf = (turn: number) => threads[turn % threads.length];
  return {
    client,
    headers,
    // Reads come first, since the faster of two checkouts writes more rows, which would slow down its reads.
    sides: {
      'annotations/get': side('/v2/commentannotations/get', () => ({ ...place, pageSize: 20 })),
      'comments/get': side('/v2/commentannotations/comments/get', (turn) => ({
        ...place,
        annotationId: threadOf(turn),
      })),
      'documents/get': side('/v2/organizations/documents/get', (turn) => ({
        organizationId: 'acme',
        documentIds: [`page-${turn % 200}`],
      })),
      'notifications/get': side('/v2/notifications/get', () => ({ organizationId: 'acme', userId: 'ada' })),
      'agents/get': side('/v2/agents/get', () => ({ agentId })),
      'comments/add': side('/v2/commentannotations/comments/add', (turn) => ({
        ...place,
        annotationId: threadOf(turn),
        commentData,
      })),
      'annotations/add': side('/v2/commentannotations/add', () => ({
        ...place,
        commentAnnotations: [{ commentData }],
      })),
      'documents/add': side('/v2/organizations/documents/add', (turn) => ({
        organizationId: 'acme',
        documents: [{ documentId: `new-${turn}` }],
      })),
      'users/add': side('/v2/users/add', (turn) => ({
        organizationId: 'acme',
        users: [{ userId: `user-${turn}`, name: 'Ada', email: `u${turn}@example.com` }],
      })),
      'agents/create': side('/v2/agents/create', () => agent),
    },
  };
}

const formatted = (values: number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;
const table: string[][] = [['', ...Object.keys(checkouts)]];
const addRow = (name: string, cells: string[]) => {
  table.push([name, ...cells]);
  console.log([name, ...cells].join('  |  '));
};

try {
  const cold: Record<string, number[]> = {};
  const warm: Record<string, number[]> = {};
  for (let turn = 0; turn < STARTS; turn++) {
    for (const [name, root] of Object.entries(checkouts)) {
      const dataDir = newFolder();
      for (const times of [cold, warm]) {
        const running = await start(root, dataDir);
        times[name] = [...(times[name] ?? []), running.ms];
        await stop(running);
      }
    }
  }
  addRow(
    'start, cold, ms',
    Object.values(cold).map((times) => formatted(times)),
  );
  addRow(
    'start, warm, ms',
    Object.values(warm).map((times) => formatted(times)),
  );

  const services: Record<string, Running> = {};
  for (const [name, root] of Object.entries(checkouts)) services[name] = await start(root, newFolder());
  await sleep(IDLE_MS);
  addRow(
    'memory at rest, MB',
    Object.values(services).map(({ child }) => (memoryOfTree(child.pid!) / 1e6).toFixed(0)),
  );

  const workloads: Record<string, Awaited<ReturnType<typeof createWorkload>>> = {};
  for (const [name, { url }] of Object.entries(services)) workloads[name] = await createWorkload(url);
  for (const operation of Object.keys(Object.values(workloads)[0]!.sides)) {
    const rates: Record<string, number[]> = {};
    for (let turn = 0; turn <= ROUNDS; turn++) {
      for (const [name, { sides }] of Object.entries(workloads)) {
        const startedAt = performance.now();
        const times = await round(sides[operation]!, WIDTH, turn === 0 ? ROUND_MS / 2 : ROUND_MS);
        // The first round is a warm-up.
        const rate = (times.length * 1_000) / (performance.now() - startedAt);
        if (turn > 0) rates[name] = [...(rates[name] ?? []), rate];
      }
    }
    addRow(
      `${operation}, calls/s`,
      Object.values(rates).map((all) => formatted(all)),
    );
  }
  addRow(
    'memory after that, MB',
    Object.values(services).map(({ child }) => (memoryOfTree(child.pid!) / 1e6).toFixed(0)),
  );

  const imports: string[] = [];
  const searches: string[] = [];
  for (const { client } of Object.values(workloads)) {
    const { headers } = await newKey(client);
    // Memory operations respond in `result` itself, not in `result.data`.
    const callMemory = async (path: string, data: object) => {
      const response = await client.request({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify({ data }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
      const body = (await response.body.json()) as any;
      if (response.statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body.result;
    };
    const startedAt = performance.now();
    const lastReasoning = 'The zebra crossing in the harbour illustration has eleven stripes.';
    const judgments = benchJudgments(JUDGMENTS, 20).map(({ judgmentId, ...judgment }, index) => ({
      ...judgment,
      id: judgmentId,
      reasoning: index === JUDGMENTS - 1 ? lastReasoning : judgment.reasoning,
      actionUser: from,
    }));
    for (let at = 0; at < judgments.length; at += 500) {
      const { failed } = await callMemory('/v2/memory/judgments/add', {
        judgments: judgments.slice(at, at + 500),
      });
      if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
    }
    for (;;) {
      // Searches only the document of the last judgment, so that polling adds little load.
      const { organizationId, documentId } = judgments.at(-1)!;
      const { results } = await callMemory('/v2/memory/search', {
        query: lastReasoning,
        organizationId,
        documentId,
        limit: 1,
      });
      if (results[0]?.similarity > 0.9) break;
      await sleep(200);
    }
    imports.push(((performance.now() - startedAt) / 1_000).toFixed(1));
    const times: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const sentAt = performance.now();
      await callMemory('/v2/memory/search', { query: `the price of plan ${turn} is without tax`, limit: 10 });
      times.push(performance.now() - sentAt);
    }
    searches.push(`${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)}`);
  }
  addRow(`import of ${JUDGMENTS} judgments until the last is found, s`, imports);
  addRow('memory/search among them, p50 / p95, ms', searches);
  for (const running of Object.values(services)) await stop(running);
} finally {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  console.log(
    `\n${table.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')).join('\n')}`,
  );
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
