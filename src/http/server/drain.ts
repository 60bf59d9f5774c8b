import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const ASK_TO_CLOSE_MS = 300;
const SWEEP_MS = 100;

/**
 * Closes a server gracefully. The framework already asks clients, with every response, to close their connection. A request
 * may be in flight on a connection that looks idle, so idle connections are closed only after a while.
 */
export async function drain(server: Server, askToCloseMs = ASK_TO_CLOSE_MS): Promise<void> {
  if (!server.listening) return;
  // `server.close` of HTTP would drop connections that are idle or have not been read yet.
  const closed = new Promise((done) => NetServer.prototype.close.call(server, done));
  await Promise.race([closed, setTimeout(askToCloseMs)]);
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await closed;
  clearInterval(sweep);
}
