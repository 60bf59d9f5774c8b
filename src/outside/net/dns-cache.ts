import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { unwrapMapped } from './allow-list.ts';
import type { Targets } from './outbound-fetch.ts';
import { type Address, hostnameOf, portOf, resolveBySystem, settleBy } from './ssrf-guard.ts';

interface Options {
  resolve?: (hostname: string) => Promise<Address[]>;
  /** How long addresses of a name hold before `refresh` looks them up again. */
  freshMs?: number;
}

const FRESH_MS = 5_000;
const WITHIN_MS = 10_000;
const MAX_NAMES = 10_000;

interface Known {
  /** Empty where the name could not be resolved. */
  addresses: Address[];
  at: number;
}

/** Knows the addresses of names, so that connections go to those that they are counted for. */
export function createKnownAddresses({ resolve = resolveBySystem, freshMs = FRESH_MS }: Options = {}): {
  /** For a guard: looks up names that are not known. */
  resolve(hostname: string): Promise<Address[]>;
  targets: Targets;
} {
  const known = new LRUCache<string, Known>({ max: MAX_NAMES });
  const pending = new Map<string, Promise<Address[]>>();

  const lookUp = (hostname: string): Promise<Address[]> => {
    const begun = pending.get(hostname);
    if (begun) return begun;
    const looking = resolve(hostname)
      .then(
        (addresses) => {
          known.set(hostname, { addresses, at: performance.now() });
          return addresses;
        },
        (error: unknown) => {
          known.set(hostname, { addresses: [], at: performance.now() });
          throw error;
        },
      )
      .finally(() => pending.delete(hostname));
    pending.set(hostname, looking);
    return looking;
  };

  return {
    async resolve(hostname) {
      const { addresses = [] } = known.get(hostname) ?? {};
      return addresses.length > 0 ? addresses : await lookUp(hostname);
    },
    targets: {
      async refresh(url) {
        const hostname = nameIn(url)?.hostname;
        if (hostname === undefined || isIP(hostname) !== 0) return;
        const { at = Number.NEGATIVE_INFINITY } = known.get(hostname) ?? {};
        if (performance.now() - at < freshMs) return;
        // Whoever connects to it is told what is wrong with it.
        await settleBy(lookUp(hostname), WITHIN_MS, undefined).catch(() => {});
      },
      of(url) {
        const { hostname, port } = nameIn(url) ?? {};
        if (hostname === undefined) return [url];
        const addresses = isIP(hostname) ? [] : (known.get(hostname)?.addresses ?? []);
        const hosts = [hostname, ...addresses.map(({ address }) => address)].map(canonical);
        return [...new Set(hosts)].map((host) => `${host}|${port}`).sort();
      },
    },
  };
}

function nameIn(text: string): { hostname: string; port: number } | undefined {
  const url = URL.parse(text);
  return url ? { hostname: hostnameOf(url.hostname), port: portOf(url) } : undefined;
}

const canonical = (host: string): string => (isIP(host) ? unwrapMapped(ipaddr.parse(host)).toString() : host);
