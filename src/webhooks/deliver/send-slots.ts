import { sendsInFlight, waitingEndpoints } from './delivery-metrics.ts';

/** Permission to send one message; `release` returns it, at most once. */
export interface SendSlot {
  release(): void;
}

/** The API key whose message is sent, and the host and addresses that it connects to. */
interface SlotRequest {
  apiKeyId: string;
  targets: readonly string[];
}

interface Group extends SlotRequest {
  id: string;
  /** Callbacks by their order of arrival. */
  waiting: Map<number, (slot: SendSlot) => void>;
}

interface Limits {
  /** Most concurrent sends of this process. */
  capacity: number;
  perTarget: number;
}

/** Share of all slots that one API key may use. */
const KEY_SHARE = 1 / 4;
/** Share of a target's slots that stays free for other API keys. */
const TARGET_RESERVE = 1 / 4;

/**
 * Limits concurrent sends: in all, to one target, and of one API key. Other requests wait, and the API key with the fewest
 * messages in flight goes first. Waiting for one target does not delay another.
 */
export class SendSlots {
  readonly #capacity: number;
  readonly #perKey: number;
  readonly #perTarget: number;
  readonly #perTargetOfKey: number;
  #taken = 0;
  #asked = 0;
  /** Slots in use, by API key, by target, and by both. */
  readonly #counts = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  /** Waiting groups by API key and by target. */
  readonly #groupsOf = new Map<string, Set<Group>>();

  constructor({ capacity, perTarget }: Limits) {
    this.#capacity = capacity;
    this.#perKey = Math.max(1, Math.floor(capacity * KEY_SHARE));
    this.#perTarget = perTarget;
    this.#perTargetOfKey = Math.max(1, perTarget - Math.max(1, Math.floor(perTarget * TARGET_RESERVE)));
  }

  /** Returns a slot if one is free. Waiting requests cannot use it, or they would have it already. */
  tryTake(request: SlotRequest): SendSlot | undefined {
    return this.#fits(request) ? this.#take(request) : undefined;
  }

  /** Calls back with a slot once there is one. Returns a function that stops waiting. */
  wait({ apiKeyId, targets }: SlotRequest, onSlot: (slot: SendSlot) => void): () => void {
    const id = JSON.stringify([apiKeyId, ...targets]);
    const group = this.#groups.get(id) ?? { id, apiKeyId, targets, waiting: new Map() };
    if (group.waiting.size === 0) this.#enlist(group);
    const place = ++this.#asked;
    group.waiting.set(place, onSlot);
    waitingEndpoints.inc();
    return () => {
      if (group.waiting.has(place)) this.#leave(group, place);
    };
  }

  #fits({ apiKeyId, targets }: SlotRequest): boolean {
    if (this.#taken >= this.#capacity || this.#count(keyName(apiKeyId)) >= this.#perKey) return false;
    return targets.every(
      (target) =>
        this.#count(target) < this.#perTarget &&
        this.#count(targetOfKey(apiKeyId, target)) < this.#perTargetOfKey,
    );
  }

  #take({ apiKeyId, targets }: SlotRequest): SendSlot {
    const names = [
      keyName(apiKeyId),
      ...targets.flatMap((target) => [target, targetOfKey(apiKeyId, target)]),
    ];
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
        if (this.#groups.size > 0) this.#grant(wasFull ? undefined : [keyName(apiKeyId), ...targets]);
      },
    };
  }

  /** Grants slots to groups that wait for one of these, or to any group if all slots were in use. */
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

  #goesBefore(group: Group, otherGroup: Group): boolean {
    const fewer = this.#count(keyName(group.apiKeyId)) - this.#count(keyName(otherGroup.apiKeyId));
    return fewer < 0 || (fewer === 0 && firstPlace(group) < firstPlace(otherGroup));
  }

  #enlist(group: Group): void {
    this.#groups.set(group.id, group);
    for (const name of [keyName(group.apiKeyId), ...group.targets]) {
      const groups = this.#groupsOf.get(name) ?? new Set();
      this.#groupsOf.set(name, groups.add(group));
    }
  }

  #leave(group: Group, place: number): void {
    group.waiting.delete(place);
    waitingEndpoints.dec();
    if (group.waiting.size > 0) return;
    this.#groups.delete(group.id);
    for (const name of [keyName(group.apiKeyId), ...group.targets]) {
      const groups = this.#groupsOf.get(name);
      groups?.delete(group);
      if (groups?.size === 0) this.#groupsOf.delete(name);
    }
  }

  #count = (name: string): number => this.#counts.get(name) ?? 0;
}

// No target has such a name, because hosts contain no spaces.
const keyName = (apiKeyId: string): string => `key ${apiKeyId}`;
const targetOfKey = (apiKeyId: string, target: string): string => `${target} of ${apiKeyId}`;

const firstPlace = ({ waiting }: Group): number => waiting.keys().next().value!;
