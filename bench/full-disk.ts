import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey } from './closed-loop.ts';
import { report } from './figures.ts';

// Fills the disk of a service without a disk reserve in every round: by the writes of the service, and in every
// second round also by a file of another program that takes all remaining space at once. Counts how writes are
// refused, checks reads and /ready meanwhile, and in the end looks for every acknowledged write. Needs root to mount
// a small file system.
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const SIZE_MB = Number(process.env.SIZE_MB ?? 1_900);
// More than the free space from which the service accepts writes again.
const FILLER_MB = 70;
const WRITERS = 8;
const MB = 1_048_576;
const TIMEOUT_MS = 60_000;

const disk = mkdtempSync(join(tmpdir(), 'redpen-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', disk]);
const dataDir = join(disk, 'data');
mkdirSync(dataDir);
const freeMb = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return Math.floor((bavail * bsize) / MB);
};

/** Writes a file of this size, or as much of it as fits on the disk. */
function writeFiller(name: string, megabytes: number): void {
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

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function waitUntil(condition: string, isMet: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isMet())) {
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error(`not within ${TIMEOUT_MS} ms: ${condition}`);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

let service = await start();
try {
  const client = new Pool(service.url, { connections: WRITERS + 2 });
  const { headers } = await newKey(client);
  const call = async (path: string, data: object) => {
    const response = await client.request({ method: 'POST', path, headers, body: JSON.stringify({ data }) });
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    return { status: response.statusCode, body: (await response.body.json()) as any };
  };
  const isReady = async () => {
    const response = await client.request({ method: 'GET', path: '/ready' });
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const { faults } = (await response.body.json()) as any;
    return { status: response.statusCode, faults: faults as string[] };
  };
  const acknowledged: string[] = [];
  const outcomes = new Map<string, number>();
  // Random, so that the database cannot compress it.
  const randomText = randomBytes(180_000).toString('base64');
  let count = 0;
  const write = async (): Promise<number> => {
    const documentId = `document-${count++}`;
    const { status, body } = await call('/v2/organizations/documents/add', {
      organizationId: 'acme',
      documents: [{ documentId, metadata: { text: randomText, documentId } }],
    });
    if (status === 200) acknowledged.push(documentId);
    const outcome = status === 200 ? 'accepted' : `${status} ${body.error?.status}: ${body.error?.message}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return status;
  };
  await write();
  for (let at = 0; at < ROUNDS; at++) writeFiller(`filler-${at}`, FILLER_MB);
  console.log(`${freeMb()} MB free beside ${ROUNDS} fillers of ${FILLER_MB} MB`);

  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.length;
    let isRefused = false;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isRefused) isRefused = (await write()) !== 200 || isRefused;
    });
    if (round % 2 === 1) {
      await sleep(300);
      writeFiller('other-program', SIZE_MB);
    }
    await Promise.all(writers);
    const lowest = freeMb();
    let reads = 0;
    let failedReads = 0;
    const redMs = await waitUntil('/ready is red', async () => (await isReady()).status === 503);
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
    const greenMs = await waitUntil('/ready is green', async () => (await isReady()).status === 200);
    const writableMs = await waitUntil('a write is accepted', async () => (await write()) === 200);
    console.log(
      `round ${round + 1}: ${acknowledged.length - before} writes, lowest ${lowest} MB; red after ${redMs.toFixed(0)} ms (${faults[0]}); ` +
        `${reads} reads succeeded, ${failedReads} failed; green ${greenMs.toFixed(0)} ms after space was freed, writable ${writableMs.toFixed(0)} ms later`,
    );
  }
  for (const [outcome, occurrences] of outcomes)
    console.log(`${String(occurrences).padStart(6)}  ${outcome}`);

  await endProcess(service.child, 'SIGKILL');
  await client.close();
  service = await start();
  const newClient = new Pool(service.url, { connections: 4 });
  const stored = new Set<string>();
  for (let at = 0; at < acknowledged.length; at += 30) {
    const response = await newClient.request({
      method: 'POST',
      path: '/v2/organizations/documents/get',
      headers,
      body: JSON.stringify({
        data: { organizationId: 'acme', documentIds: acknowledged.slice(at, at + 30) },
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const body = (await response.body.json()) as any;
    for (const id of acknowledged.slice(at, at + 30))
      if (JSON.stringify(body).includes(`"${id}"`)) stored.add(id);
  }
  report({
    name: 'acknowledged writes that a full disk lost',
    value: acknowledged.length - stored.size,
    unit: 'count',
  });
  console.log(`${acknowledged.length} acknowledged, ${acknowledged.length - stored.size} of them missing`);
} finally {
  await endProcess(service.child, 'SIGTERM');
  await sleep(500);
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}
process.exit();
