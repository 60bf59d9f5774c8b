import { type AllowList, parseAllowList } from './allow-list.ts';

/** An allow list whose entries may be replaced: the guards that hold it go by the new ones from then on. */
export interface AllowedHosts extends AllowList {
  /** Throws where an entry cannot be read, and keeps the ones before. */
  replace(entries: string[]): void;
}

export function createAllowedHosts(entries: string[]): AllowedHosts {
  let list = parseAllowList(entries);
  return {
    allowsName: (hostname, port) => list.allowsName(hostname, port),
    allowsAddress: (address, port) => list.allowsAddress(address, port),
    hasAddresses: (port) => list.hasAddresses(port),
    replace(next) {
      list = parseAllowList(next);
    },
  };
}
