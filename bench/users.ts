import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { median, newDatabase, newKey, post, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';

// Measures users/add: rows per second of one call with 1,000 users, and of 1,000 calls with one user each, made one
// after the other and 32 at once.
const USERS = 1_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);

try {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const client = new Pool(
    await start('src/main.ts', {
      PORT: '0',
      ...(process.env.DATABASE_URL && { DATABASE_URL: await newDatabase('users') }),
      REDPEN_DATA_DIR: folder,
      REDPEN_WORKSPACE_RATE: '1000000',
      REDPEN_KEY_RATE: '1000000',
    }),
    { connections: 32 },
  );
  const { headers } = await newKey(client);
  const add = (users: object[]) => post(client, '/v2/users/add', { organizationId: 'acme', users }, headers);
  const newUsers = (name: string) =>
    Array.from({ length: USERS }, (_, index) => ({
      userId: `${name}-${index}`,
      name: `User ${index}`,
      email: `${name}.${index}@example.com`,
    }));
  const rate = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return (USERS * 1_000) / (performance.now() - startedAt);
  };
  const variants: Record<string, (users: object[]) => Promise<unknown>> = {
    'one call': add,
    'sequential calls': async (users) => {
      for (const user of users) await add([user]);
    },
    '32 calls at once': (users) => {
      const left = [...users];
      const loop = async () => {
        for (let user = left.pop(); user; user = left.pop()) await add([user]);
      };
      return Promise.all(Array.from({ length: 32 }, loop));
    },
  };
  await add(newUsers('warm'));
  const rates = Object.fromEntries(Object.keys(variants).map((name) => [name, [] as number[]]));
  for (let index = 0; index < ROUNDS; index++) {
    for (const [name, variant] of Object.entries(variants)) {
      rates[name]!.push(await rate(() => variant(newUsers(`${name.replaceAll(' ', '-')}-${index}`))));
    }
  }
  const batchRate = median(rates['one call']!);
  report({
    name: 'users/add, rows, one call of 1,000',
    value: batchRate,
    unit: '/s',
    references: { 'a call each': median(rates['sequential calls']!) },
  });
  for (const [name, values] of Object.entries(rates)) {
    const medianRate = median(values);
    console.log(
      `users/add, ${name}: ${medianRate.toFixed(0)} rows/s${name === 'one call' ? '' : `; one call is ${(batchRate / medianRate).toFixed(1)} times as fast`}`,
    );
  }
} finally {
  stopAll();
}
