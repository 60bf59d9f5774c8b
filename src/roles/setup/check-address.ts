import { lookup as systemLookup } from 'node:dns/promises';
import { createServer, isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { within } from '../../lib/time.ts';
import type { Problem } from '../settings/bad-settings.ts';

type Address = Pick<Config, 'HOST' | 'PORT' | 'REDPEN_ROLES'>;

export interface AddressTries {
  /** Answers an IP address of a name. */
  lookup?: (name: string) => Promise<string>;
  /** Listens for a moment; rejects with the code of the system where it cannot. */
  listen?: (host: string, port: number) => Promise<void>;
}

/** A name of this machine is known at once; one that has to be asked for elsewhere is none. */
const LOOKUP_WITHIN_MS = 700;

/**
 * Tells what keeps the process from listening where HOST and PORT say. A worker alone serves only its probes there, and
 * does without where another process has the port.
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
