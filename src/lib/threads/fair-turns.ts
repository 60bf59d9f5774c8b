/** A granted turn. Repeated calls of `release` have no effect. */
export interface Turn {
  release(): void;
}

/** A place in the queue. */
export interface Place {
  turn: Promise<Turn>;
  /** Leaves the queue: `turn` rejects with the error if it has not been granted yet. */
  leave(error: Error): void;
}

interface Waiter {
  weight: number;
  grant(turn: Turn): void;
}

interface Owner {
  name: string;
  /** Weight of the granted turns. */
  taken: number;
  waiting: Waiter[];
  /** Virtual time: weighted milliseconds of turns. The owner with the least goes first. */
  used: number;
  /** Average duration of a turn of weight 1. */
  averageMs: number;
}

interface SeenRequest {
  owner: Owner;
  at: number;
}

interface Options {
  /** Maximum weight of all concurrent turns. */
  capacity: number;
  /** Maximum weight of the concurrent turns of one owner. */
  perOwner: number;
  /** Replaces `perOwner` while other owners send requests; reduced for an owner with long turns. Default `perOwner`. */
  contended?: number;
  /** Minimum to which `contended` is reduced. Default 1. */
  minContended?: number;
  /**
   * Replaces `perOwner` for turns of weight 1 while no other owner sends requests and turns are short. More of them
   * keep the resources behind the turns busy. Default `perOwner`.
   */
  uncontended?: number;
  /** Clock in milliseconds. */
  now?: () => number;
}

/** Average duration up to which an owner gets all of `contended`. Longer turns get proportionally fewer. */
const QUICK_MS = 20;
/** Longer average turns do not get `uncontended`, because a new owner would wait for them. */
const NEWCOMER_MS = 100;
/** An owner that sent a request within this time is expected to send another one. */
const RECENT_MS = 1_000;

/** Maximum number of remembered owners without turns. An owner is remembered while its virtual time is ahead. */
const MAX_IDLE = 10_000;

/**
 * Grants turns to owners so that each gets the same share of time, however many turns it requests and however long they
 * take: start-time fair queueing (Goyal, Vin and Cheng 1996) over the duration of turns. A single owner never gets all
 * of the capacity, so that another one can begin at once. While others wait, an owner with longer turns gets fewer
 * concurrent ones, because they share the processor. Turns of one owner are granted in the order of their requests.
 */
export class FairTurns {
  readonly #capacity: number;
  readonly #perOwner: number;
  readonly #contended: number;
  readonly #minContended: number;
  readonly #uncontended: number;
  readonly #owners = new Map<string, Owner>();
  readonly #queue = new Set<Owner>();
  #taken = 0;
  #waiting = 0;
  /** Virtual time at which a new owner begins: that of the last granted owner. */
  #clock = 0;
  readonly #now: () => number;
  /** The last two distinct owners that requested a turn. */
  #lastAsked: SeenRequest | undefined;
  #askedBefore: SeenRequest | undefined;

  constructor({
    capacity,
    perOwner,
    contended = perOwner,
    minContended = 1,
    uncontended = perOwner,
    now = () => performance.now(),
  }: Options) {
    this.#capacity = capacity;
    this.#perOwner = perOwner;
    this.#contended = Math.min(contended, perOwner);
    this.#minContended = Math.min(minContended, this.#contended);
    this.#uncontended = uncontended;
    this.#now = now;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Weight of the granted turns. */
  get taken(): number {
    return this.#taken;
  }

  /** Returns a turn if one is free immediately. */
  tryTake(name: string, weight = 1): Turn | undefined {
    const owner = this.#ownerOf(name);
    this.#noteAsked(owner);
    if (this.#waiting > 0 || !this.#fits(owner, weight) || this.#isFull(owner, weight)) return undefined;
    return this.#grant(owner, weight);
  }

  /** Queues for a turn. */
  take(name: string, weight: number): Place {
    const owner = this.#ownerOf(name);
    this.#noteAsked(owner);
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const waiter: Waiter = { weight, grant: resolve };
    owner.waiting.push(waiter);
    this.#queue.add(owner);
    this.#waiting += 1;
    this.#grantAll();
    return {
      turn: promise,
      leave: (error) => {
        const at = owner.waiting.indexOf(waiter);
        if (at < 0) return;
        owner.waiting.splice(at, 1);
        if (owner.waiting.length === 0) this.#queue.delete(owner);
        this.#waiting -= 1;
        reject(error);
        // A lighter request behind it may fit now.
        this.#grantAll();
      },
    };
  }

  #ownerOf(name: string): Owner {
    let owner = this.#owners.get(name);
    if (!owner) {
      owner = { name, taken: 0, waiting: [], used: this.#clock, averageMs: 1 };
      this.#owners.set(name, owner);
    } else if (owner.taken === 0 && owner.waiting.length === 0) {
      owner.used = Math.max(owner.used, this.#clock);
    }
    return owner;
  }

  #noteAsked(owner: Owner): void {
    if (this.#lastAsked?.owner !== owner) this.#askedBefore = this.#lastAsked;
    this.#lastAsked = { owner, at: this.#now() };
  }

  #isContended(owner: Owner): boolean {
    const other = this.#lastAsked?.owner === owner ? this.#askedBefore : this.#lastAsked;
    return other !== undefined && this.#now() - other.at < RECENT_MS;
  }

  #limitOf(owner: Owner, weight: number): number {
    if (!this.#isContended(owner)) {
      return weight === 1 && owner.averageMs <= NEWCOMER_MS ? this.#uncontended : this.#perOwner;
    }
    if (owner.averageMs <= QUICK_MS) return this.#contended;
    return Math.max(this.#minContended, Math.floor((this.#contended * QUICK_MS) / owner.averageMs));
  }

  #fits = (owner: Owner, weight: number): boolean =>
    owner.taken === 0 || owner.taken + weight <= this.#limitOf(owner, weight);

  #isFull = (owner: Owner, weight: number): boolean =>
    this.#taken > 0 && this.#taken + weight > Math.max(this.#capacity, this.#limitOf(owner, weight));

  #grant(owner: Owner, weight: number): Turn {
    // Charges the average duration in advance, so that many concurrent turns do not count as none.
    const charged = owner.averageMs * weight;
    owner.taken += weight;
    owner.used += charged;
    this.#taken += weight;
    this.#clock = Math.max(this.#clock, owner.used - charged);
    const since = this.#now();
    let isGranted = true;
    return {
      release: () => {
        if (!isGranted) return;
        isGranted = false;
        const took = this.#now() - since;
        owner.taken -= weight;
        owner.used += took * weight - charged;
        owner.averageMs += (took - owner.averageMs) / 8;
        this.#taken -= weight;
        if (this.#waiting > 0) this.#grantAll();
        if (this.#owners.size > MAX_IDLE) this.#forgetIdle();
      },
    };
  }

  #grantAll(): void {
    for (;;) {
      let first: Owner | undefined;
      for (const owner of this.#queue) {
        if (this.#fits(owner, owner.waiting[0]!.weight) && (!first || owner.used < first.used)) first = owner;
      }
      // Lighter requests do not overtake the first one, which could otherwise starve.
      if (!first || this.#isFull(first, first.waiting[0]!.weight)) return;
      const { weight, grant } = first.waiting.shift()!;
      if (first.waiting.length === 0) this.#queue.delete(first);
      this.#waiting -= 1;
      grant(this.#grant(first, weight));
    }
  }

  #forgetIdle(): void {
    for (const [name, owner] of this.#owners) {
      const isIdle = owner.taken === 0 && owner.waiting.length === 0;
      if (isIdle && (owner.used <= this.#clock || this.#owners.size > 2 * MAX_IDLE))
        this.#owners.delete(name);
    }
  }
}
