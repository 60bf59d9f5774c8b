import { readFileSync } from 'node:fs';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { newDatabase, post, round, start, stopAll } from './closed-loop.ts';
import { liveTenant, pidAt } from './live-tenant.ts';

/*
 * How many replacements of a text a second: ours over REST, stored when they are answered, beside those that bare
 * Hocuspocus makes in its own process over a direct connection and stores nowhere. And what an open document takes.
 */
const WIDTH = 32;
const ROUND_MS = 5_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DOCUMENTS = 1_000;
const PER_CONNECTION = 50;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const frame = (name: string, write: (encoder: ReturnType<typeof createEncoder>) => void): Uint8Array => {
  const encoder = createEncoder();
  writeVarString(encoder, name);
  write(encoder);
  return toUint8Array(encoder);
};

const residentKb = (pid: string): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** Opens documents, many over one connection, and writes a line into each; answers kB of memory for each. */
async function memoryOf(url: string, token: string): Promise<number> {
  const pid = pidAt(url);
  const before = residentKb(pid);
  for (let from = 0; from < DOCUMENTS; from += PER_CONNECTION) {
    const ws = new WebSocket(url.replace('http:', 'ws:'), { perMessageDeflate: false });
    let open = 0;
    const all = new Promise<void>((done) => {
      // What comes back after a token and a first sync: let in, the state, and a question for ours.
      ws.on('message', () => {
        open += 1;
        if (open === PER_CONNECTION * 3) done();
      });
    });
    await new Promise((done) => ws.once('open', done));
    for (let index = from; index < from + PER_CONNECTION; index++) {
      const name = `acme/home/memory-${index}`;
      ws.send(
        frame(name, (encoder) => {
          writeVarUint(encoder, 2);
          writeVarUint(encoder, 0);
          writeVarString(encoder, token);
        }),
      );
      ws.send(
        frame(name, (encoder) => {
          writeVarUint(encoder, 0);
          writeVarUint(encoder, 0);
          writeVarUint8Array(encoder, new Uint8Array([0]));
        }),
      );
    }
    await all;
  }
  await new Promise((done) => setTimeout(done, 3_000));
  return (residentKb(pid) - before) / DOCUMENTS;
}

const hocuspocus = await start('bench/live-servers.ts', {}, ['hocuspocus']);
const bare = new Pool(hocuspocus, { connections: 1 });
const contenders = [
  ...(process.env.DATABASE_URL
    ? [await liveTenant('redpen on PostgreSQL', await newDatabase('redpen_rest'))]
    : []),
  await liveTenant('redpen embedded', undefined),
];
const seen = new Map<string, number[]>();
const note = (name: string, value: number) => {
  seen.set(name, [...(seen.get(name) ?? []), value]);
  process.stdout.write(`${name}: ${value.toFixed(0)} replacements a second\n`);
};
for (let turn = 1; turn <= ROUNDS; turn++) {
  const { body } = await bare.request({ method: 'GET', path: '/replace' });
  note('hocuspocus direct', Number(await body.text()));
  for (const { name, pool, headers } of contenders) {
    for (const editors of [1, WIDTH]) {
      const ids = Array.from({ length: editors }, (_, index) => `${turn}-${editors}-${index}`);
      for (const editorId of ids) {
        const content = { organizationId: 'acme', documentId: 'home', editorId, type: 'text', data: 'x' };
        await post(pool, '/v2/crdt/add', content, headers);
      }
      let count = 0;
      const times = await round(
        {
          client: pool,
          headers,
          path: '/v2/crdt/update',
          body() {
            count += 1;
            const data = `The text number ${count} of those that replace each other. ${'word '.repeat(50)}`;
            const editorId = ids[count % editors];
            return JSON.stringify({
              data: { organizationId: 'acme', documentId: 'home', editorId, type: 'text', data },
            });
          },
        },
        WIDTH,
        ROUND_MS,
      );
      note(`${name}, ${editors} editor${editors > 1 ? 's' : ''}`, times.length / (ROUND_MS / 1_000));
    }
  }
}
const base = median(seen.get('hocuspocus direct')!);
for (const [name, values] of seen) {
  process.stdout.write(
    `${name}: ${median(values).toFixed(0)} a second, ${(median(values) / base).toFixed(2)} of Hocuspocus\n`,
  );
}
process.stdout.write(
  `hocuspocus: ${(await memoryOf(hocuspocus, 'any')).toFixed(0)} kB for each open document\n`,
);
for (const { name, url, token } of contenders) {
  process.stdout.write(`${name}: ${(await memoryOf(url, token)).toFixed(0)} kB for each open document\n`);
}
stopAll();
