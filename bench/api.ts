import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { report } from './figures.ts';

// Measures agents/create and agents/get in requests per second, in a closed loop of 32, as a ratio to a bare Fastify
// route with a single-row statement. Rounds alternate, so that a busy moment of the machine affects both.
const WIDTH = 32;
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const ROUND_MS = Number(process.env.ROUND_MS ?? 4_000);

const children: ChildProcess[] = [];
const root = join(import.meta.dirname, '..');
const start = (script: string, env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, script)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    child.stdout!.on('data', (chunk: Buffer) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });

interface Side {
  client: Pool;
  headers: Record<string, string>;
  path: string;
  body: string;
}

async function round({ client, headers, path, body }: Side): Promise<number> {
  const until = performance.now() + ROUND_MS;
  let responses = 0;
  const loop = async () => {
    while (performance.now() < until) {
      const { statusCode, body: response } = await client.request({ method: 'POST', path, headers, body });
      const text = await response.text();
      if (statusCode !== 200) throw new Error(`${path}: ${text}`);
      responses += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: WIDTH }, loop));
  return (responses * 1_000) / (performance.now() - startedAt);
}

try {
  const json = { 'content-type': 'application/json' };
  const bareUrl = await start('bench/bare-server.ts', {});
  const ourUrl = await start('src/main.ts', {
    PORT: '0',
    REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
    REDPEN_LOG_LEVEL: process.env.REDPEN_LOG_LEVEL ?? 'info',
    REDPEN_WORKSPACE_RATE: '1000000',
    REDPEN_KEY_RATE: '1000000',
  });
  const bare = new Pool(bareUrl, { connections: WIDTH });
  const ours = new Pool(ourUrl, { connections: WIDTH });
  const post = async (client: Pool, path: string, data: object, headers: Record<string, string>) => {
    const { body } = await client.request({
      method: 'POST',
      path,
      headers: { ...json, ...headers },
      body: JSON.stringify({ data }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    return ((await body.json()) as any).result.data;
  };
  const workspace = await post(
    ours,
    '/v2/workspace/create',
    { ownerEmail: `bench.${Date.now()}@example.com` },
    {},
  );
  const apiKey = Object.keys(workspace.apiKeyList)[0]!;
  const tokens = await post(
    ours,
    '/v2/workspace/authtokens/get',
    { apiKey },
    {
      'x-service-workspace-id': workspace.id,
      'x-service-workspace-auth-token': workspace.authToken,
    },
  );
  const auth = { 'x-service-api-key': apiKey, 'x-service-auth-token': tokens.authTokens[0].token };
  const agent = {
    name: 'Bench',
    description: 'A configuration of ordinary size.',
    instructions: 'Find sentences that promise what the product does not do. '.repeat(5),
    contextGathering: { strategies: ['web-page-text'] },
    execution: { executionStrategy: 'ai' },
  };
  const ourAgent = await post(ours, '/v2/agents/create', agent, auth);
  const bareAgent = await post(bare, '/create', agent, {});
  const cases = {
    'agents/create': [
      {
        client: ours,
        headers: { ...json, ...auth },
        path: '/v2/agents/create',
        body: JSON.stringify({ data: agent }),
      },
      { client: bare, headers: json, path: '/create', body: JSON.stringify({ data: agent }) },
    ],
    'agents/get': [
      {
        client: ours,
        headers: { ...json, ...auth },
        path: '/v2/agents/get',
        body: JSON.stringify({ data: ourAgent }),
      },
      { client: bare, headers: json, path: '/get', body: JSON.stringify({ data: bareAgent }) },
    ],
  } satisfies Record<string, [Side, Side]>;

  console.log(
    `${process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded'}, closed loop of ${WIDTH}, ${ROUNDS} rounds of ${ROUND_MS} ms`,
  );
  for (const [name, [side, reference]] of Object.entries(cases)) {
    await round(side);
    await round(reference);
    const ratios: number[] = [];
    let last = [0, 0];
    for (let index = 0; index < ROUNDS; index++) {
      last = [await round(side), await round(reference)];
      ratios.push(last[0]! / last[1]!);
    }
    ratios.sort((a, b) => a - b);
    const median = ratios[Math.floor(ratios.length / 2)]!;
    report({
      name: `${name}, ${WIDTH} at once`,
      value: last[0]!,
      unit: '/s',
      references: { 'a bare route': last[1]! },
    });
    console.log(
      `${name}: ${last[0]!.toFixed(0)}/s, the bare route ${last[1]!.toFixed(0)}/s, ratio ${median.toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
} finally {
  for (const child of children) {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
  setTimeout(() => process.exit(), 3_000).unref();
}
