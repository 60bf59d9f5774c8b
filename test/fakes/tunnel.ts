import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { TEST_CERTIFICATE, TEST_KEY } from './smtp-server.ts';

export interface Tunnel {
  port: number;
  /** Number of accepted connections so far. */
  tries(): number;
  /** Number of chunks that clients have sent. */
  sent(): number;
  /** Addresses of the connections as the target sees them, as `address:port`. */
  addresses(): string[];
  /** Stops all traffic in both directions, without closing a connection. */
  hang(): void;
  /** Lets new connections through; those that hang stay that way. */
  flow(): void;
  /** Leaves the connections of clients open when the target ends them, as if news of the end were still on the way. */
  delayEnds(): void;
  /** Closes all connections and accepts no more. */
  close(): Promise<void>;
  /** Listens again on the same port. */
  reopen(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A TCP proxy on loopback that a test can break; with `secure`, clients connect to it over TLS. */
export async function startTunnel(
  target: { host: string; port: number } | { path: string },
  { secure = false } = {},
): Promise<Tunnel> {
  const pairs = new Set<{ near: Socket; far: Socket; hangs: boolean }>();
  let tries = 0;
  let sent = 0;
  let hangs = false;
  let delaysEnds = false;
  let server: Server;

  const accept = (near: Socket) => {
    tries += 1;
    const far = connect(target);
    const pair = { near, far, hangs };
    pairs.add(pair);
    near.on('data', () => {
      sent += 1;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (chunk) => {
        if (!pair.hangs) to.write(chunk);
      });
      from.on('close', () => {
        if (pair.hangs || (delaysEnds && from === far)) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  };
  const open = async (port: number) => {
    server = secure
      ? createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, accept)
      : createServer(accept);
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
    await closed;
  };
  const port = await open(0);
  return {
    port,
    tries: () => tries,
    sent: () => sent,
    addresses: () => [...pairs].map(({ far }) => `${far.localAddress}:${far.localPort}`),
    hang() {
      hangs = true;
      for (const pair of pairs) pair.hangs = true;
    },
    flow() {
      hangs = false;
    },
    delayEnds() {
      delaysEnds = true;
    },
    close,
    async reopen() {
      await open(port);
    },
    [Symbol.asyncDispose]: close,
  };
}
