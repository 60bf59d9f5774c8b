import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const ASK_TO_CLOSE_MS = 300;
const SWEEP_MS = 100;

/**
 * Ends a server whose framework already asks clients, with every answer, to close their connection. A
 * request may be on its way over a connection that looks idle, so those are closed only some time later.
 */
export async function drain(server: Server, askToCloseMs = ASK_TO_CLOSE_MS): Promise<void> {
  if (!server.listening) return;
  // Not the server's own `close`, which drops connections at once that are idle or have not been read yet.
  const closed = new Promise((done) => NetServer.prototype.close.call(server, done));
  await Promise.race([closed, setTimeout(askToCloseMs)]);
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await closed;
  clearInterval(sweep);
}
