import { readFileSync } from 'node:fs';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { newDatabase, post, round, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { liveTenant, pidAt } from './live-tenant.ts';
import { replacementOf, type TextKind } from './live-texts.ts';

// Measures replacements of a text per second: by Redpen over REST, which stores them before it responds, and by bare
// Hocuspocus over a direct connection in its own process, which stores nothing. Then measures the memory of open
// documents.
const WIDTH = 32;
const ROUND_MS = 5_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DOCUMENTS = 1_000;
const PER_CONNECTION = 50;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const frameOf = (name: string, write: (encoder: ReturnType<typeof createEncoder>) => void): Uint8Array => {
  const encoder = createEncoder();
  writeVarString(encoder, name);
  write(encoder);
  return toUint8Array(encoder);
};

const residentKb = (pid: string): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** Opens many documents over each of a few connections; returns the resident memory per document in kB. */
async function memoryOf(url: string, token: string): Promise<number> {
  const pid = pidAt(url);
  const before = residentKb(pid);
  for (let from = 0; from < DOCUMENTS; from += PER_CONNECTION) {
    const ws = new WebSocket(url.replace('http:', 'ws:'), { perMessageDeflate: false });
    let received = 0;
    const allReceived = new Promise<void>((done) => {
      // Per document, the server answers the token, sends its state, and asks for that of the client.
      ws.on('message', () => {
        received += 1;
        if (received === PER_CONNECTION * 3) done();
      });
    });
    await new Promise((done) => ws.once('open', done));
    for (let index = from; index < from + PER_CONNECTION; index++) {
      const name = `acme/home/memory-${index}`;
      ws.send(
        frameOf(name, (encoder) => {
          writeVarUint(encoder, 2);
          writeVarUint(encoder, 0);
          writeVarString(encoder, token);
        }),
      );
      ws.send(
        frameOf(name, (encoder) => {
          writeVarUint(encoder, 0);
          writeVarUint(encoder, 0);
          writeVarUint8Array(encoder, new Uint8Array([0]));
        }),
      );
    }
    await allReceived;
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
  ...(process.argv[2] === 'PostgreSQL' ? [] : [await liveTenant('redpen embedded', undefined)]),
];
const ratesByName = new Map<string, number[]>();
const record = (name: string, value: number) => {
  ratesByName.set(name, [...(ratesByName.get(name) ?? []), value]);
  process.stdout.write(`${name}: ${value.toFixed(0)} replacements per second\n`);
};
const KINDS: TextKind[] = ['short', 'page'];
const direct = (kind: TextKind) => `hocuspocus direct, ${kind} text`;
for (let turn = 1; turn <= ROUNDS; turn++) {
  for (const kind of KINDS) {
    const { body } = await bare.request({ method: 'GET', path: `/${kind}` });
    record(direct(kind), Number(await body.text()));
    for (const { name, pool, headers } of contenders) {
      for (const editors of [1, WIDTH]) {
        const ids = Array.from({ length: editors }, (_, index) => `${kind}-${turn}-${editors}-${index}`);
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
              const data = replacementOf(kind, count);
              const editorId = ids[count % editors];
              return JSON.stringify({
                data: { organizationId: 'acme', documentId: 'home', editorId, type: 'text', data },
              });
            },
          },
          WIDTH,
          ROUND_MS,
        );
        const place = `${editors} editor${editors > 1 ? 's' : ''}`;
        record(`${name}, ${kind} text, ${place}`, times.length / (ROUND_MS / 1_000));
      }
    }
  }
}
for (const [name, values] of ratesByName) {
  const kind = KINDS.find((each) => name.includes(`${each} text`))!;
  const base = median(ratesByName.get(direct(kind))!);
  if (name !== direct(kind))
    report({
      name: `replacements over REST, ${name}`,
      value: median(values),
      unit: '/s',
      references: { 'a direct connection of Hocuspocus': base },
    });
  process.stdout.write(
    `${name}: ${median(values).toFixed(0)} per second, ${(median(values) / base).toFixed(2)} times Hocuspocus\n`,
  );
}
process.stdout.write(`hocuspocus: ${(await memoryOf(hocuspocus, 'any')).toFixed(0)} kB per open document\n`);
for (const { name, url, token } of contenders) {
  process.stdout.write(`${name}: ${(await memoryOf(url, token)).toFixed(0)} kB per open document\n`);
}
stopAll();
