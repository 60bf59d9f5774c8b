import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '..');
const START_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 12_000;
const KEPT_LOG_LINES = 30;

export interface DemoServer {
  url: string;
  /** The last lines of the server's log, for error messages. */
  log(): string;
  /** Rejects if the server ends before it is stopped. */
  died: Promise<never>;
  stop(): Promise<void>;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** The settings of the demo. With the caller's settings it would write into the caller's database. */
const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(REDPEN_|DATABASE_URL$|REDIS_URL$|HOST$|PORT$)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...settings };
};

/** Starts Redpen as a separate process, by default on an empty data folder that is removed at the end. */
export async function startServer(settings: Record<string, string>, folder?: string): Promise<DemoServer> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'redpen-demo-')));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that Ctrl-C reaches only the demo, which then stops the server gracefully.
    detached: process.platform !== 'win32',
    env: environment({
      HOST: '127.0.0.1',
      PORT: String(port),
      REDPEN_DATA_DIR: dataDir,
      ...settings,
    }),
  });
  const lines: string[] = [];
  const keep = (chunk: Buffer) => {
    lines.push(...String(chunk).trimEnd().split('\n'));
    lines.splice(0, lines.length - KEPT_LOG_LINES);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  let stopping = false;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  const died = exited.then((why): Promise<never> => {
    if (stopping) return new Promise(() => {});
    throw new Error(`The server ended: ${why}.`);
  });
  died.catch(() => {});

  const server: DemoServer = {
    url: `http://127.0.0.1:${port}`,
    log: () => lines.join('\n'),
    died,
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const stopped = await Promise.race([exited, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
      if (stopped === undefined) child.kill('SIGKILL');
      await exited;
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await Promise.race([untilReady(server.url), died]);
  } catch (error) {
    await server.stop();
    throw new Error(`${(error as Error).message}\n${server.log()}`);
  }
  return server;
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + START_WITHIN_MS;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`The server was not ready within ${START_WITHIN_MS / 1_000} s.`);
}
