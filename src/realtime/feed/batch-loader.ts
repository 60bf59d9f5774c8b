import { setImmediate as nextTurn } from 'node:timers/promises';

/** A loaded value, and when its load began in epoch milliseconds. */
export interface Loaded<Value> {
  value: Value;
  at: number;
}

export interface BatchLoader<Group, Value> {
  /** Returns the cached value if the caller accepts it, and otherwise loads it with the next batch. */
  load(group: Group, member: string, accepts: (cached: Loaded<Value>) => boolean): Promise<Loaded<Value>>;
  /** Removes values that are older than this from the cache. */
  forgetOlderThan(ms: number): void;
}

interface Batch<Value> {
  members: Set<string>;
  loaded: Promise<Loaded<Map<string, Value>>>;
}

/**
 * Batching and caching of lookups (a DataLoader): all members of a group that are requested within a turn of the event
 * loop are loaded by one call, so that thousands of viewers of one document cost one statement. The `dataloader`
 * package does not fit, because here each caller decides by the age of a cached value whether it is fresh enough, and a
 * load that began earlier must not overwrite a later one.
 */
export function createBatchLoader<Group, Value>(
  keyOf: (group: Group) => string,
  loadAll: (group: Group, members: string[]) => Promise<Map<string, Value>>,
): BatchLoader<Group, Value> {
  const cache = new Map<string, Map<string, Loaded<Value>>>();
  const open = new Map<string, Batch<Value>>();

  const run = async (
    key: string,
    group: Group,
    members: Set<string>,
  ): Promise<Loaded<Map<string, Value>>> => {
    await nextTurn();
    open.delete(key);
    const at = Date.now();
    const values = await loadAll(group, [...members]);
    const cached = cache.get(key) ?? new Map<string, Loaded<Value>>();
    for (const [member, value] of values) {
      // A load that began earlier may end later.
      if ((cached.get(member)?.at ?? 0) <= at) cached.set(member, { value, at });
    }
    cache.set(key, cached);
    return { value: values, at };
  };

  return {
    async load(group, member, accepts) {
      const key = keyOf(group);
      const cached = cache.get(key)?.get(member);
      if (cached && accepts(cached)) return cached;
      let batch = open.get(key);
      if (!batch) {
        const members = new Set<string>();
        batch = { members, loaded: run(key, group, members) };
        open.set(key, batch);
      }
      batch.members.add(member);
      const { value, at } = await batch.loaded;
      return { value: value.get(member)!, at };
    },

    forgetOlderThan(ms) {
      const limit = Date.now() - ms;
      for (const [key, members] of cache) {
        for (const [member, { at }] of members) if (at < limit) members.delete(member);
        if (members.size === 0) cache.delete(key);
      }
    },
  };
}
