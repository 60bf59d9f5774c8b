import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { programOf } from './compat-programs.ts';

/** A worker may connect to loopback only. */
const configOf = (names: string[]) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${names.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(', ')}],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["127.0.0.1/32"], deny = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", service = "main")],
);
`;

/** Serves modules as a worker, the first of which is its entry, until the test ends; returns its address. */
export async function startWorker(folder: string, modules: Map<string, string>): Promise<string> {
  mkdirSync(folder);
  const names = [...modules.keys()].sort(
    (one, other) => Number(other === 'entry.js') - Number(one === 'entry.js'),
  );
  for (const [name, code] of modules) writeFileSync(join(folder, name), code);
  writeFileSync(join(folder, 'config.capnp'), configOf(names));
  const child = spawn(programOf('workerd'), ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === 'listen') return `http://127.0.0.1:${port}`;
  }
  throw new Error(`workerd ended: ${errors}`);
}
