import { lookup as systemLookup } from 'node:dns/promises';
import { createServer, isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { within } from '../../lib/time.ts';
import type { Problem } from '../settings/bad-settings.ts';

type Address = Pick<Config, 'HOST' | 'PORT' | 'REDPEN_ROLES'>;

export interface AddressTries {
  /** Resolves a name to an IP address. */
  lookup?: (name: string) => Promise<string>;
  /** Listens for a moment. Rejects with the system's error code if that is not possible. */
  listen?: (host: string, port: number) => Promise<void>;
}

/** A name of this machine resolves immediately; a name that needs a DNS query is not one. */
const LOOKUP_WITHIN_MS = 700;

/**
 * Returns the problem that keeps the process from listening on HOST and PORT. A process with only the role worker
 * serves just probes there, and starts without them if the port is in use.
 */
export async function checkAddress(
  { HOST, PORT, REDPEN_ROLES }: Address,
  { lookup = lookupBySystem, listen = listenForAMoment }: AddressTries = {},
): Promise<Problem[]> {
  const ip =
    isIP(HOST) === 0
      ? await within(
          LOOKUP_WITHIN_MS,
          lookup(HOST).catch(() => undefined),
          undefined,
        )
      : HOST;
  if (ip === undefined) {
    const rule = 'must be an IP address or a name of this machine, which does not know this name';
    return [{ setting: 'HOST', value: HOST, rule }];
  }
  try {
    await listen(ip, PORT);
    return [];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const isNeeded = REDPEN_ROLES.includes('api') || REDPEN_ROLES.includes('realtime');
    return isNeeded || code !== 'EADDRINUSE' ? [problemOf(code, HOST, ip, PORT)] : [];
  }
}

function problemOf(code: string, host: string, ip: string, port: number): Problem {
  const ofPort = (rule: string): Problem => ({ setting: 'PORT', value: String(port), rule });
  const ofHost = (rule: string): Problem => ({ setting: 'HOST', value: host, rule });
  const where = `${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`;
  if (code === 'EADDRINUSE')
    return ofPort(`must be free, and another process listens on ${where} already; set it to another port`);
  if (code === 'EACCES')
    return ofPort('must be a port that this user may listen on; those below 1024 mostly need root');
  if (code === 'EADDRNOTAVAIL')
    return ofHost('must be an address of this machine; 127.0.0.1 and 0.0.0.0 always are');
  return ofHost(`must be an address that this machine can listen on (${code})`);
}

const lookupBySystem = async (name: string): Promise<string> => (await systemLookup(name)).address;

async function listenForAMoment(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ host, port, exclusive: true }, done);
  });
  await new Promise((done) => server.close(done));
}
