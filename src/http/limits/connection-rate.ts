import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { networkOf } from '../../lib/network.ts';

const MAX_ADDRESSES = 50_000;

export const connectionsDropped = new Counter({
  name: 'redpen_connections_dropped_total',
  help: 'Connections closed before anything was read, because their address opens too many in a short time.',
  registers: [],
});

/**
 * Bounds how many connections an address opens a second, before anything is read of them: a flood that is answered,
 * be it with refusals, keeps the main thread from everything else. Trusted proxies open as many as they like.
 */
export function boundConnections(server: Server, perSecond: number, trusted: readonly string[]): void {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
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
  // What Node does with a connection costs more than what is to be spared here.
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (mayConnect(socket.remoteAddress)) {
      for (const listener of listeners) listener.call(server, socket);
    } else {
      connectionsDropped.inc();
      // One that its sender has closed meanwhile cannot be reset.
      socket.on('error', () => {});
      socket.resetAndDestroy();
    }
  });
}
