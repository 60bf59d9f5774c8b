import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { type CommandDeps, type Outcome, perform, readCommand } from './program.ts';

// The address of a unix socket holds 108 bytes on Linux and 104 elsewhere.
const MAX_PATH_BYTES = 100;
const MAX_REQUEST_BYTES = 64_000;

/** Takes commands of the service's own user, since only the process that holds the embedded database can do them. */
export async function startAdmin(
  dataDir: string,
  deps: CommandDeps & { log: Logger },
): Promise<{ close(): Promise<void> }> {
  const path = socketPath(dataDir);
  // The lock of the data directory is ours, so a socket that lies here belongs to nobody alive.
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void answer(socket, deps);
  });
  await listen(server, path);
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Asks the service that holds a data directory; undefined where none runs. */
export async function askAdmin(dataDir: string, words: string[]): Promise<Outcome | undefined> {
  const socket = connect({ path: socketPath(dataDir), allowHalfOpen: true });
  try {
    await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail));
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  socket.end(JSON.stringify(words));
  const text = await readAll(socket, Number.POSITIVE_INFINITY);
  if (text === '') throw new Error('The service ended before it answered; see its log.');
  return JSON.parse(text) as Outcome;
}

async function answer(socket: Socket, deps: CommandDeps & { log: Logger }): Promise<void> {
  let outcome: Outcome;
  try {
    const words = JSON.parse(await readAll(socket, MAX_REQUEST_BYTES)) as string[];
    const read = readCommand(words);
    outcome = typeof read === 'function' ? await perform(read, deps) : read;
    deps.log.info({ command: words, exitCode: outcome.exitCode }, 'admin command');
  } catch (error) {
    deps.log.error({ err: error }, 'admin command failed');
    outcome = { output: `${error instanceof Error ? error.message : String(error)}\n`, exitCode: 1 };
  }
  if (!socket.destroyed) socket.end(JSON.stringify(outcome));
}

async function readAll(socket: Socket, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The command is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Beside the data where the path is short enough, else in a folder that only its user can enter. */
function socketPath(dataDir: string): string {
  const beside = join(resolve(dataDir), 'admin.sock');
  if (Buffer.byteLength(beside) <= MAX_PATH_BYTES) return beside;
  const { uid } = userInfo();
  const folder = join(tmpdir(), `redpen-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = lstatSync(folder);
  // Anyone may make folders in tmp; one that others can write to would let them take our commands.
  if (uid >= 0 && (owner !== uid || (mode & 0o077) !== 0)) {
    throw new Error(`${folder} must belong to the service's user and be closed to all others.`);
  }
  return join(folder, `${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}.sock`);
}

async function listen(server: Server, path: string): Promise<void> {
  // The socket must never be open to others, not even until a chmod; it is bound within the call.
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}
