import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/realtime-limits.ts';

export interface Counted {
  close(cause: Cause): void;
}

/** The limit that keeps a connection from being opened. */
export type ConnectionRefusal = 'address' | 'process';

/** Counts connections by address and API key, so that few callers cannot exhaust the connections of a process. */
export class ConnectionCounts<T extends Counted> {
  readonly #limits: Limits;
  /** Connections without a valid token yet, by address, oldest first. */
  readonly #unauthenticated = new Map<string, Set<T>>();
  #unauthenticatedTotal = 0;
  /** Authenticated connections. */
  readonly #byAddress = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  readonly #authenticated = new Map<T, { address: string; apiKeyId: string }>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get unauthenticated(): number {
    return this.#unauthenticatedTotal;
  }

  /**
   * Makes room for a connection from an address. If the process has none left, the address with the most
   * unauthenticated connections loses its oldest one, unless the newcomer comes from that address.
   */
  makeRoom(address: string): ConnectionRefusal | undefined {
    const { unauthenticatedConnections, unauthenticatedPerAddress } = this.#limits;
    const own = this.#unauthenticated.get(address)?.size ?? 0;
    if (own >= unauthenticatedPerAddress) return 'address';
    if (this.#unauthenticatedTotal < unauthenticatedConnections) return undefined;
    const [crowd, connections] = this.#largest();
    if (connections.size <= own) return 'process';
    const [oldest] = connections;
    this.#forget(oldest!, crowd);
    oldest!.close('displaced');
    return undefined;
  }

  add(connection: T, address: string): void {
    const connections = this.#unauthenticated.get(address) ?? new Set();
    connections.add(connection);
    this.#unauthenticated.set(address, connections);
    this.#unauthenticatedTotal += 1;
  }

  /** Counts a connection for its API key from now on. Returns the cause to close it with, if it exceeds a limit. */
  authenticate(connection: T, address: string, apiKeyId: string): Cause | undefined {
    this.#forget(connection, address);
    const ofKey = this.#byKey.get(apiKeyId) ?? 0;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofKey >= this.#limits.connectionsPerKey) return 'tooManyOfKey';
    if (ofAddress >= this.#limits.connectionsPerAddress) return 'tooManyOfAddress';
    this.#byKey.set(apiKeyId, ofKey + 1);
    this.#byAddress.set(address, ofAddress + 1);
    this.#authenticated.set(connection, { address, apiKeyId });
    return undefined;
  }

  remove(connection: T, address: string): void {
    this.#forget(connection, address);
    const counted = this.#authenticated.get(connection);
    if (!counted) return;
    this.#authenticated.delete(connection);
    decrement(this.#byKey, counted.apiKeyId);
    decrement(this.#byAddress, counted.address);
  }

  #forget(connection: T, address: string): void {
    const connections = this.#unauthenticated.get(address);
    if (!connections?.delete(connection)) return;
    this.#unauthenticatedTotal -= 1;
    if (connections.size === 0) this.#unauthenticated.delete(address);
  }

  #largest(): [string, Set<T>] {
    let largest: [string, Set<T>] | undefined;
    for (const entry of this.#unauthenticated) {
      if (!largest || entry[1].size > largest[1].size) largest = entry;
    }
    return largest ?? ['', new Set()];
  }
}

function decrement(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 0) - 1;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}
