import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey } from './closed-loop.ts';

// What becomes of a service without a reserve whose disk fills up, again and again: by its own writes, and in every other round by a
// file of another program that takes all the rest at once. Counts what was refused and how, asks for reads and /ready
// meanwhile, and for everything that was acknowledged in the end. Needs root, for a small file system of its own.
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const SIZE_MB = Number(process.env.SIZE_MB ?? 1_900);
// More than what has to be free for writes to be taken again.
const FILLER_MB = 70;
const WRITERS = 8;
const MB = 1_048_576;
const LONG_MS = 60_000;

const disk = mkdtempSync(join(tmpdir(), 'redpen-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', disk]);
const dataDir = join(disk, 'data');
mkdirSync(dataDir);
const freeMb = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return Math.floor((bavail * bsize) / MB);
};

/** Writes a file of a size, or as large as the disk lets it be. */
function fill(name: string, megabytes: number): void {
  const file = openSync(join(disk, name), 'w');
  const block = Buffer.alloc(MB / 4, 7);
  try {
    for (let at = 0; at < megabytes * 4; at++) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

async function start(): Promise<{ child: ChildProcess; url: string; log: () => string }> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../src/main.ts')], {
    env: { ...inherited, PORT: '0', REDPEN_DATA_DIR: dataDir, REDPEN_DISK_RESERVE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(log)?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => fail(new Error(`the service ended with ${code}`)));
  });
  return { child, url, log: () => log };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > LONG_MS) throw new Error(`not within ${LONG_MS} ms: ${what}`);
    await sleep(50);
  }
  return performance.now() - began;
}

let service = await start();
try {
  const client = new Pool(service.url, { connections: WRITERS + 2 });
  const { headers } = await newKey(client);
  const call = async (path: string, data: object) => {
    const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify({ data }) });
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    return { status: answer.statusCode, body: (await answer.body.json()) as any };
  };
  const isReady = async () => {
    const answer = await client.request({ method: 'GET', path: '/ready' });
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const { faults } = (await answer.body.json()) as any;
    return { status: answer.statusCode, faults: faults as string[] };
  };
  const acknowledged: string[] = [];
  const answers = new Map<string, number>();
  // Nothing that a database could compress.
  const text = randomBytes(180_000).toString('base64');
  let count = 0;
  const write = async (): Promise<number> => {
    const documentId = `document-${count++}`;
    const { status, body } = await call('/v2/organizations/documents/add', {
      organizationId: 'acme',
      documents: [{ documentId, metadata: { text, documentId } }],
    });
    if (status === 200) acknowledged.push(documentId);
    const said = status === 200 ? 'accepted' : `${status} ${body.error?.status}: ${body.error?.message}`;
    answers.set(said, (answers.get(said) ?? 0) + 1);
    return status;
  };
  await write();
  for (let at = 0; at < ROUNDS; at++) fill(`filler-${at}`, FILLER_MB);
  console.log(`${freeMb()} MB are free with ${ROUNDS} fillers of ${FILLER_MB} MB`);

  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.length;
    let refused = false;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!refused) refused = (await write()) !== 200 || refused;
    });
    if (round % 2 === 1) {
      await sleep(300);
      fill('other-program', SIZE_MB);
    }
    await Promise.all(writers);
    const lowest = freeMb();
    let reads = 0;
    let failedReads = 0;
    const redMs = await until('/ready is red', async () => (await isReady()).status === 503);
    const { faults } = await isReady();
    for (let at = 0; at < 20; at++) {
      const { status } = await call('/v2/organizations/documents/get', {
        organizationId: 'acme',
        documentIds: ['document-0'],
      });
      if (status === 200) reads += 1;
      else failedReads += 1;
      await write();
    }
    rmSync(join(disk, 'other-program'), { force: true });
    rmSync(join(disk, `filler-${round}`));
    const greenMs = await until('/ready is green', async () => (await isReady()).status === 200);
    const writableMs = await until('a write is taken', async () => (await write()) === 200);
    console.log(
      `round ${round + 1}: ${acknowledged.length - before} writes, lowest ${lowest} MB; red after ${redMs.toFixed(0)} ms (${faults[0]}); ` +
        `${reads} reads answered, ${failedReads} failed; green ${greenMs.toFixed(0)} ms after there was space, writing ${writableMs.toFixed(0)} ms later`,
    );
  }
  for (const [said, many] of answers) console.log(`${String(many).padStart(6)}  ${said}`);

  await end(service.child, 'SIGKILL');
  await client.close();
  service = await start();
  const again = new Pool(service.url, { connections: 4 });
  const stored = new Set<string>();
  for (let at = 0; at < acknowledged.length; at += 30) {
    const answer = await again.request({
      method: 'POST',
      path: '/v2/organizations/documents/get',
      headers,
      body: JSON.stringify({
        data: { organizationId: 'acme', documentIds: acknowledged.slice(at, at + 30) },
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const body = (await answer.body.json()) as any;
    for (const id of acknowledged.slice(at, at + 30))
      if (JSON.stringify(body).includes(`"${id}"`)) stored.add(id);
  }
  console.log(`${acknowledged.length} acknowledged, ${acknowledged.length - stored.size} of them missing`);
} finally {
  await end(service.child, 'SIGTERM');
  await sleep(500);
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}
process.exit();
