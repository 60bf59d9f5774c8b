/** Loaded before the conformance suite, whose servers would otherwise listen on all addresses of the machine. */
import dns from 'node:dns';
import { Server } from 'node:net';

const HOST = '127.0.0.1';

const listen = Server.prototype.listen as (...options: unknown[]) => Server;
Server.prototype.listen = function (this: Server, port: unknown, ...rest: unknown[]) {
  return listen.call(this, port, ...(typeof port === 'number' ? [HOST] : []), ...rest);
} as typeof Server.prototype.listen;

// The suite reads the port immediately. Without a host it is known by then; with one, only after a lookup, so the lookup
// of the host is synchronous.
const lookup = dns.lookup as (...options: unknown[]) => void;
dns.lookup = ((...options: unknown[]) => {
  const done = options.at(-1) as (error: null, addresses: { address: string; family: number }[]) => void;
  const { all } = (options[1] ?? {}) as { all?: boolean };
  if (all && options[0] === HOST) done(null, [{ address: HOST, family: 4 }]);
  else lookup(...options);
}) as typeof dns.lookup;
