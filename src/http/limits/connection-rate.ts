import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { TokenBucket } from 'limiter';
import { Counter } from 'prom-client';
import { createLruCache } from '../../lib/lru-cache.ts';
import { networkOf } from '../../lib/network.ts';

const MAX_ADDRESSES = 50_000;

export const connectionsDropped = new Counter({
  name: 'redpen_connections_dropped_total',
  help: 'Connections closed before anything was read, because their address exceeds its connection rate.',
  registers: [],
});

/**
 * Limits the rate of connections per address before anything is read from them: answering a flood, even with refusals,
 * would keep the main thread from everything else. Trusted proxies are not limited.
 */
export function limitConnectionRate(server: Server, perSecond: number, trusted: readonly string[]): void {
  const buckets = createLruCache<TokenBucket>(MAX_ADDRESSES);
  const isTrusted = proxyAddr.compile([...trusted]);
  const mayConnect = (address: string | undefined): boolean => {
    if (address === undefined || isTrusted(address, 0)) return true;
    const network = networkOf(address);
    let bucket = buckets.get(network);
    if (!bucket) {
      bucket = new TokenBucket({ bucketSize: perSecond, tokensPerInterval: perSecond, interval: 1_000 });
      bucket.content = perSecond;
      buckets.set(network, bucket);
    }
    return bucket.tryRemoveTokens(1);
  };
  // Node's own listeners do the expensive work, so this one runs instead of them and calls them.
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (mayConnect(socket.remoteAddress)) {
      for (const listener of listeners) listener.call(server, socket);
    } else {
      connectionsDropped.inc();
      // Resetting fails if the client has closed the connection meanwhile.
      socket.on('error', () => {});
      socket.resetAndDestroy();
    }
  });
}
