import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

/** What a connection gets: an error of the server, none because it is closed, or a link to the real server. */
export type DatabaseState = { code: string; message: string } | 'closes' | 'open';

export const STARTING = { code: '57P03', message: 'the database system is starting up' };

export interface StartingDatabase {
  /** The URL of a database, through this server. */
  url: string;
  /** Connections so far. */
  attempts(): number;
  set(state: DatabaseState): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The message with which PostgreSQL refuses a connection before it asks for a password. */
function errorResponse({ code, message }: { code: string; message: string }): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`].map((field) => `${field}\0`).join('');
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A server before the one of `databaseUrl`, which refuses connections as a server does that starts. */
export async function startStartingDatabase(
  databaseUrl: string,
  initial: DatabaseState,
): Promise<StartingDatabase> {
  const { host, port, user, password, database } = new pg.Client(databaseUrl);
  const target = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
  const sockets = new Set<Socket>();
  let state = initial;
  let attempts = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    attempts += 1;
    keep(near);
    if (state === 'closes') return near.destroy();
    if (state !== 'open') {
      const refusal = errorResponse(state);
      return near.once('data', () => near.end(refusal));
    }
    const far = connect(target);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    return far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    url: `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${own}/${database}`,
    attempts: () => attempts,
    set(next) {
      state = next;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
