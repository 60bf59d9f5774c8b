import { sendsInFlight, sendsWaiting } from './delivery-meters.ts';

/** Leave to send; `release` gives it back, once. */
export interface Slot {
  release(): void;
}

/** The API key whose message is sent, and the host and addresses that it connects to. */
interface Wish {
  apiKeyId: string;
  targets: readonly string[];
}

interface Group extends Wish {
  id: string;
  /** The order in which they came, and what is called with their slot. */
  waiting: Map<number, (slot: Slot) => void>;
}

interface Limits {
  /** Sends at once, of all API keys. */
  capacity: number;
  perTarget: number;
}

/** The part of all slots that an API key may have. */
const KEY_SHARE = 1 / 4;
/** The part of a target's slots that stays free for other API keys. */
const TARGET_RESERVE = 1 / 4;

/**
 * Bounds how many messages are sent at once: in all, to one target, and of one API key. What does not fit waits, and
 * the API key with the fewest messages under way goes first. No wait for one target holds up another target.
 */
export class SendSlots {
  readonly #capacity: number;
  readonly #perKey: number;
  readonly #perTarget: number;
  readonly #perTargetOfKey: number;
  #taken = 0;
  #asked = 0;
  /** Slots that are taken, by API key, by target, and by both. */
  readonly #counts = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  /** Groups by the API key and the targets that they wait for. */
  readonly #groupsOf = new Map<string, Set<Group>>();

  constructor({ capacity, perTarget }: Limits) {
    this.#capacity = capacity;
    this.#perKey = Math.max(1, Math.floor(capacity * KEY_SHARE));
    this.#perTarget = perTarget;
    this.#perTargetOfKey = Math.max(1, perTarget - Math.max(1, Math.floor(perTarget * TARGET_RESERVE)));
  }

  /** A slot, where one is free at once. What waits does not fit, or it would have its slot. */
  tryTake(wish: Wish): Slot | undefined {
    return this.#fits(wish) ? this.#take(wish) : undefined;
  }

  /** Calls back with a slot once there is one. Answers how to stop waiting. */
  wait({ apiKeyId, targets }: Wish, onSlot: (slot: Slot) => void): () => void {
    const id = JSON.stringify([apiKeyId, ...targets]);
    const group = this.#groups.get(id) ?? { id, apiKeyId, targets, waiting: new Map() };
    if (group.waiting.size === 0) this.#enlist(group);
    const place = ++this.#asked;
    group.waiting.set(place, onSlot);
    sendsWaiting.inc();
    return () => {
      if (group.waiting.has(place)) this.#leave(group, place);
    };
  }

  #fits({ apiKeyId, targets }: Wish): boolean {
    if (this.#taken >= this.#capacity || this.#count(keyed(apiKeyId)) >= this.#perKey) return false;
    return targets.every(
      (target) =>
        this.#count(target) < this.#perTarget && this.#count(both(apiKeyId, target)) < this.#perTargetOfKey,
    );
  }

  #take({ apiKeyId, targets }: Wish): Slot {
    const names = [keyed(apiKeyId), ...targets.flatMap((target) => [target, both(apiKeyId, target)])];
    for (const name of names) this.#counts.set(name, this.#count(name) + 1);
    this.#taken += 1;
    sendsInFlight.inc();
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        const wasFull = this.#taken >= this.#capacity;
        this.#taken -= 1;
        sendsInFlight.dec();
        for (const name of names) {
          const left = this.#count(name) - 1;
          if (left > 0) this.#counts.set(name, left);
          else this.#counts.delete(name);
        }
        if (this.#groups.size > 0) this.#grant(wasFull ? undefined : [keyed(apiKeyId), ...targets]);
      },
    };
  }

  /** Gives slots to those that wait for any of these, or to all where there was no slot left at all. */
  #grant(freed: string[] | undefined): void {
    for (;;) {
      let best: Group | undefined;
      const candidates = freed
        ? freed.flatMap((name) => [...(this.#groupsOf.get(name) ?? [])])
        : this.#groups.values();
      for (const group of candidates)
        if (this.#fits(group) && (!best || this.#goesBefore(group, best))) best = group;
      if (!best) return;
      const [place, onSlot] = best.waiting.entries().next().value!;
      this.#leave(best, place);
      onSlot(this.#take(best));
    }
  }

  #goesBefore(one: Group, other: Group): boolean {
    const fewer = this.#count(keyed(one.apiKeyId)) - this.#count(keyed(other.apiKeyId));
    return fewer < 0 || (fewer === 0 && firstPlace(one) < firstPlace(other));
  }

  #enlist(group: Group): void {
    this.#groups.set(group.id, group);
    for (const name of [keyed(group.apiKeyId), ...group.targets]) {
      const groups = this.#groupsOf.get(name) ?? new Set();
      this.#groupsOf.set(name, groups.add(group));
    }
  }

  #leave(group: Group, place: number): void {
    group.waiting.delete(place);
    sendsWaiting.dec();
    if (group.waiting.size > 0) return;
    this.#groups.delete(group.id);
    for (const name of [keyed(group.apiKeyId), ...group.targets]) {
      const groups = this.#groupsOf.get(name);
      groups?.delete(group);
      if (groups?.size === 0) this.#groupsOf.delete(name);
    }
  }

  #count = (name: string): number => this.#counts.get(name) ?? 0;
}

// No target has such a name: hosts hold no blanks.
const keyed = (apiKeyId: string): string => `key ${apiKeyId}`;
const both = (apiKeyId: string, target: string): string => `${target} of ${apiKeyId}`;

const firstPlace = ({ waiting }: Group): number => waiting.keys().next().value!;
