import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import {
  freePort,
  median,
  newDatabase,
  newKey,
  post,
  round,
  type Side,
  start,
  stopAll,
} from './closed-loop.ts';
import { report } from './figures.ts';
import { benchJudgments } from './judgment-rows.ts';

// Measures everyday operations of a small tenant on the PostgreSQL of DATABASE_URL: the time of a single caller, and
// calls per second of 16 at once, also as a share of documents/get of one document in the same round. The reference of
// reading annotations is a list of as many objects in parse-server. Arguments select operations by a part of their
// name.
const WIDTH = 16;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROUND_MS = Number(process.env.ROUND_MS ?? 2_000);
const DOCUMENTS = 50;
const THREADS = 1_000;
const JUDGMENTS = 2_000;
const AGENTS = 20;
const USERS = 20;
const NOTIFICATIONS = 200;
const EXECUTIONS = 20;
/** Host and port of the reviewed pages, at which nothing listens. */
const CLOSED = '127.0.0.1:9';

const BASE = 'documents/get, one';
const REFERENCE = "parse-server's list of 20";
const REFERRED = 'commentannotations/get, newest 20';

const selected = process.argv.slice(2);
const isSelected = (name: string): boolean =>
  selected.length === 0 || selected.some((part) => name.includes(part));

const organizationId = 'acme';
const documentOf = (turn: number) => `page-${turn % DOCUMENTS}`;
const placeOf = (turn: number) => ({ organizationId, documentId: documentOf(turn) });
const from = { userId: 'user-0', name: 'Ada', email: 'user-0@example.com' };
const commentText = 'The headline could be shorter, and says the price twice.';
const agentOf = (turn: number) => ({
  name: `Agent ${turn}`,
  description: 'A configuration of ordinary size.',
  instructions: 'Find sentences that promise what the product does not do. '.repeat(5),
  contextGathering: { strategies: ['web-page-text'] },
  execution: { executionStrategy: 'ai' },
});
const notificationOf = (turn: number) => ({
  ...placeOf(turn),
  actionUser: from,
  notifyUsers: [{ userId: `user-${turn % USERS}`, email: `user-${turn % USERS}@example.com` }],
  notifyAll: false,
  displayHeadlineMessageTemplate: '{actionUser} asks you for a review',
  displayBodyMessage: 'The texts of the second section are new.',
});

interface Tenant {
  client: Pool;
  headers: Record<string, string>;
}

/** Calls a memory operation, which responds in `result` itself. */
async function callMemory({ client, headers }: Tenant, path: string, data: object) {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify({ data }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
  const answer = (await body.json()) as any;
  if (statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.result;
}

/** Imports judgments, and waits until the last one is found by meaning. */
async function addJudgments(tenant: Tenant): Promise<void> {
  const reasoning = 'The zebra crossing in the harbour illustration has eleven stripes.';
  const judgments = benchJudgments(JUDGMENTS, 1).map(({ judgmentId, ...judgment }, index) => ({
    ...judgment,
    ...placeOf(index),
    id: judgmentId,
    reasoning: index === JUDGMENTS - 1 ? reasoning : judgment.reasoning,
    actionUser: { userId: `user-${index % USERS}`, name: 'Ada' },
  }));
  for (let at = 0; at < JUDGMENTS; at += 500)
    await callMemory(tenant, '/v2/memory/judgments/add', { judgments: judgments.slice(at, at + 500) });
  const lastPlace = placeOf(JUDGMENTS - 1);
  const isFound = async () => {
    const { results } = await callMemory(tenant, '/v2/memory/search', {
      ...lastPlace,
      query: reasoning,
      limit: 1,
    });
    return results[0]?.similarity > 0.9;
  };
  while (!(await isFound())) await sleep(500);
}

type Call = (path: string, data: object) => ReturnType<typeof post>;

/** Runs an agent on pages of a port at which nothing listens, and waits until the runs have ended. */
async function addExecutions(call: Call, numbers: number[]): Promise<void> {
  for (const index of numbers) {
    const url = `http://${CLOSED}/page-${index}`;
    await call('/v2/agents/execution/run', { agentId: 'broken-links', url });
  }
  const isRunning = async () => {
    const { executions } = await call('/v2/agents/execution/list', { agentId: 'broken-links' });
    return executions.some(({ completedAt }: { completedAt?: unknown }) => !completedAt);
  };
  while (await isRunning()) await sleep(500);
}

/** Fills the tenant; returns ids of its agents and a comment of each thread. */
async function fill({ client, headers }: Tenant): Promise<{ agentIds: string[]; commentIds: number[] }> {
  const call = (path: string, data: object) => post(client, path, data, headers);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const documents = numbers(DOCUMENTS).map((index) => ({
    documentId: documentOf(index),
    documentName: `Page ${index}`,
  }));
  await call('/v2/organizations/documents/add', { organizationId, documents });
  const users = numbers(USERS).map((index) => ({
    userId: `user-${index}`,
    name: 'Ada',
    email: `user-${index}@example.com`,
    accessRole: 'editor',
  }));
  await call('/v2/users/add', { organizationId, users });
  const commentIds: number[] = [];
  for (const document of numbers(DOCUMENTS)) {
    const threads = numbers(THREADS).filter((thread) => thread % DOCUMENTS === document);
    const commentAnnotations = threads.map((thread) => ({
      annotationId: `thread-${thread}`,
      commentData: [{ commentText, from }],
    }));
    const added = await call('/v2/commentannotations/add', { ...placeOf(document), commentAnnotations });
    for (const thread of threads) commentIds[thread] = added[`thread-${thread}`].commentIds[0];
  }
  const agentIds: string[] = [];
  for (const index of numbers(AGENTS))
    agentIds.push((await call('/v2/agents/create', agentOf(index))).agentId);
  for (const index of numbers(NOTIFICATIONS)) await call('/v2/notifications/add', notificationOf(index));
  for (const index of numbers(DOCUMENTS))
    await call('/v2/crdt/add', {
      ...placeOf(index),
      editorId: 'notes',
      type: 'text',
      data: commentText.repeat(20),
    });
  await addExecutions(call, numbers(EXECUTIONS));
  return { agentIds, commentIds };
}

type Operations = Record<string, [path: string, data: (turn: number) => object]>;

const readsOf = ({ agentIds }: { agentIds: string[] }): Operations => ({
  [BASE]: [
    '/v2/organizations/documents/get',
    (turn) => ({ organizationId, documentIds: [documentOf(turn)] }),
  ],
  'documents/get, 50': ['/v2/organizations/documents/get', () => ({ organizationId })],
  [REFERRED]: ['/v2/commentannotations/get', (turn) => ({ ...placeOf(turn), pageSize: 20, order: 'desc' })],
  'comments/get': [
    '/v2/commentannotations/comments/get',
    (turn) => ({ ...placeOf(turn), annotationId: `thread-${turn % THREADS}` }),
  ],
  'commentannotations/count/get': [
    '/v2/commentannotations/count/get',
    (turn) => ({ organizationId, documentIds: [documentOf(turn)], userId: 'user-1' }),
  ],
  'users/get': ['/v2/users/get', () => ({ organizationId, pageSize: 20 })],
  'notifications/get, 20': [
    '/v2/notifications/get',
    (turn) => ({ organizationId, userId: `user-${turn % USERS}`, pageSize: 20 }),
  ],
  'agents/get, one': ['/v2/agents/get', (turn) => ({ agentId: agentIds[turn % AGENTS] })],
  'agents/get, all': ['/v2/agents/get', () => ({})],
  'execution/list': ['/v2/agents/execution/list', () => ({ agentId: 'broken-links', pageSize: 20 })],
  'crdt/get': ['/v2/crdt/get', (turn) => ({ ...placeOf(turn), editorId: 'notes' })],
  'memory/search': ['/v2/memory/search', (turn) => ({ query: queryOf(turn), organizationId, limit: 10 })],
  'memory/suggest': ['/v2/memory/suggest', (turn) => ({ query: queryOf(turn), organizationId })],
});

const queryOf = (turn: number) =>
  `The price of plan ${turn % 500} is without tax, and the label is too small.`;

const writesOf = ({ commentIds }: { commentIds: number[] }): Operations => ({
  'comments/add': [
    '/v2/commentannotations/comments/add',
    (turn) => ({
      ...placeOf(turn),
      annotationId: `thread-${turn % THREADS}`,
      commentData: [{ commentText, from }],
    }),
  ],
  'comments/update': [
    '/v2/commentannotations/comments/update',
    (turn) => ({
      ...placeOf(turn),
      annotationId: `thread-${turn % THREADS}`,
      commentIds: [commentIds[turn % THREADS]],
      updatedData: { commentText: `${commentText} ${turn}`, from },
    }),
  ],
  'commentannotations/add': [
    '/v2/commentannotations/add',
    (turn) => ({ ...placeOf(turn), commentAnnotations: [{ commentData: [{ commentText, from }] }] }),
  ],
  'commentannotations/update': [
    '/v2/commentannotations/update',
    (turn) => ({
      ...placeOf(turn),
      annotationIds: [`thread-${turn % THREADS}`],
      updatedData: { status: { id: turn % 2 === 0 ? 'IN_PROGRESS' : 'OPEN' } },
    }),
  ],
  'documents/add': [
    '/v2/organizations/documents/add',
    (turn) => ({ organizationId, documents: [{ documentId: `new-${turn}`, documentName: 'New' }] }),
  ],
  'users/add': [
    '/v2/users/add',
    (turn) => ({
      organizationId,
      users: [{ userId: `new-${turn}`, name: 'Eve', email: `new-${turn}@example.com` }],
    }),
  ],
  'notifications/add': ['/v2/notifications/add', notificationOf],
  'permissions/add': [
    '/v2/auth/permissions/add',
    (turn) => ({
      user: { userId: `user-${turn % USERS}` },
      permissions: {
        resources: [{ type: 'document', id: documentOf(turn), organizationId, accessRole: 'viewer' }],
      },
    }),
  ],
  generate_token: [
    '/v2/auth/generate_token',
    (turn) => ({
      userId: `user-${turn % USERS}`,
      userProperties: { name: 'Ada', email: `user-${turn % USERS}@example.com` },
      permissions: { resources: [{ type: 'organization', id: organizationId }] },
    }),
  ],
  'agents/create': ['/v2/agents/create', agentOf],
  'crdt/update': [
    '/v2/crdt/update',
    (turn) => ({
      ...placeOf(turn),
      editorId: 'notes',
      type: 'text',
      data: `${commentText.repeat(20)} ${turn}`,
    }),
  ],
});

/** A parse-server with as many objects per document, and a request for the newest 20 of a document. */
async function startReference(): Promise<Side> {
  const url = await start('bench/parse-server.ts', {
    DATABASE_URL: await newDatabase('operations_parse'),
    PARSE_SERVER_LOGS_FOLDER: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
    PORT: String(await freePort()),
  });
  const client = new Pool(url, { connections: WIDTH });
  const headers = { 'content-type': 'application/json', 'x-parse-application-id': 'bench' };
  const path = '/parse/classes/Annotation';
  for (let thread = 0; thread < THREADS; thread++) {
    const object = {
      ...placeOf(thread),
      from,
      type: 'comment',
      status: { id: 'OPEN', name: 'Open', type: 'default' },
      comments: [{ commentText, from }],
    };
    const { statusCode, body } = await client.request({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(object),
    });
    const answer = await body.text();
    if (statusCode !== 201) throw new Error(answer);
  }
  let turn = 0;
  const query = () =>
    JSON.stringify({
      _method: 'GET',
      where: { documentId: documentOf(turn++) },
      order: '-createdAt',
      limit: 20,
    });
  return { client, headers, path, body: query };
}

interface Figures {
  aloneMs: number;
  perSecond: number;
  share: number;
}

async function measure(side: Side, base: Side): Promise<Figures> {
  const rateOf = async (measured: Side, ms: number) => {
    const startedAt = performance.now();
    const times = await round(measured, WIDTH, ms);
    return (times.length * 1_000) / (performance.now() - startedAt);
  };
  await round(side, WIDTH, ROUND_MS / 2);
  const aloneMs = median(await round(side, 1, ROUND_MS / 2));
  const rates: number[] = [];
  const shares: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const baseRate = side === base ? undefined : await rateOf(base, ROUND_MS / 2);
    const rate = await rateOf(side, ROUND_MS);
    rates.push(rate);
    shares.push(rate / (baseRate ?? rate));
  }
  return { aloneMs, perSecond: median(rates), share: median(shares) };
}

async function main(): Promise<void> {
  const url = await start('src/main.ts', {
    PORT: '0',
    DATABASE_URL: await newDatabase('operations'),
    REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
    REDPEN_WORKSPACE_RATE: '1000000',
    REDPEN_KEY_RATE: '1000000',
    REDPEN_ALLOW_HOSTS: CLOSED,
  });
  const client = new Pool(url, { connections: WIDTH });
  const tenant = { client, headers: (await newKey(client)).headers };
  const ids = await fill(tenant);
  // Reads come before writes, which would slow them down.
  const operations = { ...readsOf(ids), ...writesOf(ids) };
  const sides = Object.entries(operations).map(([name, [path, data]]): [string, Side] => {
    let turn = 0;
    return [name, { ...tenant, path, body: () => JSON.stringify({ data: data(turn++) }) }];
  });
  const base = sides[0]![1];
  const wanted = sides.filter(([name]) => isSelected(name));
  if (wanted.some(([name]) => name.startsWith('memory/'))) await addJudgments(tenant);
  const hasReference = existsSync(join(import.meta.dirname, 'node_modules/parse-server'));
  if (hasReference && isSelected(REFERRED)) wanted.unshift([REFERENCE, await startReference()]);

  console.log(
    `| ${WIDTH} at once, ${ROUNDS} rounds of ${ROUND_MS} ms | alone, p50 | calls/s | share of ${BASE} |`,
  );
  console.log('|---|---|---|---|');
  const figures: Record<string, Figures> = {};
  await round(base, WIDTH, ROUND_MS);
  for (const [name, side] of wanted) {
    const found = await measure(side, base);
    figures[name] = found;
    report({ name: `${name}, ${WIDTH} at once`, value: found.perSecond, unit: '/s' });
    report({ name: `${name}, share of ${BASE}`, value: found.share, unit: 'times' });
    report({ name: `${name}, alone, p50`, value: found.aloneMs, unit: 'ms' });
    console.log(
      `| ${name} | ${found.aloneMs.toFixed(1)} ms | ${found.perSecond.toFixed(0)} | ${found.share.toFixed(3)} |`,
    );
  }
  const [ours, reference] = [figures[REFERRED], figures[REFERENCE]];
  if (ours && reference) {
    const ratio = ours.share / reference.share;
    report({ name: `${REFERRED}, relative to ${REFERENCE}`, value: ratio, unit: 'times' });
    console.log(`\n${REFERRED}, relative to ${REFERENCE}: ${ratio.toFixed(2)}`);
  }
}

try {
  await main();
} finally {
  stopAll();
}
