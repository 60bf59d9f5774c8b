import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createLruCache } from '../../lib/lru-cache.ts';
import { unwrapMapped } from './allow-list.ts';
import type { Targets } from './outbound-fetch.ts';
import {
  hostnameOf,
  portOf,
  type ResolvedAddress,
  resolveBySystem,
  withConnectTimeout,
} from './ssrf-guard.ts';

interface Options {
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Age from which `refresh` resolves a name again. */
  freshMs?: number;
}

const FRESH_MS = 5_000;
const RESOLVE_TIMEOUT_MS = 10_000;
const MAX_NAMES = 10_000;

interface CachedAddresses {
  /** Empty if the name could not be resolved. */
  addresses: ResolvedAddress[];
  at: number;
}

/**
 * Caches the addresses of host names, so that a connection goes to the very addresses that it is counted for. The
 * SSRF guard still checks cached addresses at each connection.
 */
export function createDnsCache({ resolve = resolveBySystem, freshMs = FRESH_MS }: Options = {}): {
  /** The guard's resolver: answers from the cache, and resolves a name that is not in it. */
  resolve(hostname: string): Promise<ResolvedAddress[]>;
  targets: Targets;
} {
  const known = createLruCache<CachedAddresses>(MAX_NAMES);
  const pending = new Map<string, Promise<ResolvedAddress[]>>();

  const lookUp = (hostname: string): Promise<ResolvedAddress[]> => {
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
        const hostname = hostAndPortOf(url)?.hostname;
        if (hostname === undefined || isIP(hostname) !== 0) return;
        const { at = Number.NEGATIVE_INFINITY } = known.get(hostname) ?? {};
        if (performance.now() - at < freshMs) return;
        // A name that cannot be resolved fails with its reason when a connection to it is opened.
        await withConnectTimeout(lookUp(hostname), RESOLVE_TIMEOUT_MS, undefined).catch(() => {});
      },
      of(url) {
        const { hostname, port } = hostAndPortOf(url) ?? {};
        if (hostname === undefined) return [url];
        const addresses = isIP(hostname) ? [] : (known.get(hostname)?.addresses ?? []);
        const hosts = [hostname, ...addresses.map(({ address }) => address)].map(canonical);
        return [...new Set(hosts)].map((host) => `${host}|${port}`).sort();
      },
    },
  };
}

function hostAndPortOf(text: string): { hostname: string; port: number } | undefined {
  const url = URL.parse(text);
  return url ? { hostname: hostnameOf(url.hostname), port: portOf(url) } : undefined;
}

const canonical = (host: string): string => (isIP(host) ? unwrapMapped(ipaddr.parse(host)).toString() : host);
