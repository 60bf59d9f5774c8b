import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Service {
  url: string;
  child: ChildProcess;
  /** Stops the process and removes its data folder. */
  stop(): Promise<void>;
}

/** Starts Redpen with a new data folder, on an embedded PostgreSQL or on the server of DATABASE_URL in `env`. */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const root = resolve(import.meta.dirname, '..');
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    env: {
      ...inherited,
      PORT: '0',
      REDPEN_DATA_DIR: dataDir,
      REDPEN_WORKSPACE_RATE: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(chunk.toString())?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => fail(new Error(`The service ended with ${code}.`)));
  });
  return {
    url,
    child,
    async stop() {
      child.removeAllListeners('exit');
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
