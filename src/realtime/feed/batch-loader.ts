import { setImmediate as nextTurn } from 'node:timers/promises';

/** A fact about somebody, and since when it is known, in epoch milliseconds. */
export interface Known<Fact> {
  fact: Fact;
  at: number;
}

export interface Gathered<Group, Fact> {
  /** What is known already if that will do, and else what is loaded now. */
  ask(group: Group, member: string, willDo: (known: Known<Fact>) => boolean): Promise<Known<Fact>>;
  /** Forgets what is known for longer than this. */
  forgetOlderThan(ms: number): void;
}

interface Batch<Fact> {
  members: Set<string>;
  loaded: Promise<Known<Map<string, Fact>>>;
}

/**
 * Loads facts about the members of groups, such as what each user is granted on a document. Of one group, all
 * that is asked for within a turn of the event loop is loaded together: thousands who look at one document cost
 * one statement.
 */
export function gather<Group, Fact>(
  keyOf: (group: Group) => string,
  load: (group: Group, members: string[]) => Promise<Map<string, Fact>>,
): Gathered<Group, Fact> {
  const known = new Map<string, Map<string, Known<Fact>>>();
  const open = new Map<string, Batch<Fact>>();

  const run = async (key: string, group: Group, members: Set<string>): Promise<Known<Map<string, Fact>>> => {
    await nextTurn();
    open.delete(key);
    const at = Date.now();
    const facts = await load(group, [...members]);
    const ofGroup = known.get(key) ?? new Map<string, Known<Fact>>();
    for (const [member, fact] of facts) {
      // A statement that began earlier may well end later.
      if ((ofGroup.get(member)?.at ?? 0) <= at) ofGroup.set(member, { fact, at });
    }
    known.set(key, ofGroup);
    return { fact: facts, at };
  };

  return {
    async ask(group, member, willDo) {
      const key = keyOf(group);
      const before = known.get(key)?.get(member);
      if (before && willDo(before)) return before;
      let batch = open.get(key);
      if (!batch) {
        const members = new Set<string>();
        batch = { members, loaded: run(key, group, members) };
        open.set(key, batch);
      }
      batch.members.add(member);
      const { fact, at } = await batch.loaded;
      return { fact: fact.get(member)!, at };
    },

    forgetOlderThan(ms) {
      const limit = Date.now() - ms;
      for (const [key, members] of known) {
        for (const [member, { at }] of members) if (at < limit) members.delete(member);
        if (members.size === 0) known.delete(key);
      }
    },
  };
}
