/** A turn that is held; `release` gives it back, once. */
export interface Turn {
  release(): void;
}

/** A place in the line. */
export interface Place {
  turn: Promise<Turn>;
  /** Gives the place up: `turn` rejects with the error, where it has not been granted yet. */
  leave(error: Error): void;
}

interface Waiter {
  weight: number;
  grant(turn: Turn): void;
}

interface Owner {
  name: string;
  /** Weight of the turns it has. */
  taken: number;
  waiting: Waiter[];
  /** Milliseconds of turns, by weight, that it has had: the owner with the least goes first. */
  used: number;
  /** Average time of a turn of weight 1. */
  usualMs: number;
}

interface Asked {
  owner: Owner;
  at: number;
}

interface Options {
  /** Weight of all turns at once. */
  capacity: number;
  /** Weight of the turns of one owner at once. */
  perOwner: number;
  /** The same while another owner asks; fewer where its turns take long. By default as many. */
  inCompany?: number;
  /** The fewest that is reduced to. */
  least?: number;
  /**
   * The same, for turns of weight 1, while no other owner asks and its turns are short: what waits further on is never
   * short of work then.
   */
  alone?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** Turns that take no longer do not hold up others, however many there are at once. */
const QUICK_MS = 20;
/** Another owner that begins to ask waits about so long, once, for the turns of one that was alone. */
const NEWCOMER_MS = 100;
/** An owner that asked so recently asks again soon. */
const RECENT_MS = 1_000;

/** An owner is remembered while it is in debt, and no more of them than this. */
const MAX_IDLE = 10_000;

/**
 * Hands out turns among owners so that each gets the same share of time, whatever number of turns it asks for and
 * however long they take: start-time fair queueing (Goyal, Vin and Cheng 1996) over the time that turns are held.
 * One owner never holds all of the capacity, so that another one begins at once; and the longer its turns take, the
 * fewer of them it has at once while others ask, since those share the processor with it. Turns of one owner are
 * granted in the order in which they were asked for.
 */
export class FairTurns {
  readonly #capacity: number;
  readonly #perOwner: number;
  readonly #inCompany: number;
  readonly #least: number;
  readonly #alone: number;
  readonly #owners = new Map<string, Owner>();
  readonly #queue = new Set<Owner>();
  #taken = 0;
  #waiting = 0;
  /** Where an owner begins that has no debt: what the one granted last had used. */
  #clock = 0;
  readonly #now: () => number;
  /** The owner that asked last, and the last one that asked before and is another. */
  #lastAsked: Asked | undefined;
  #askedBefore: Asked | undefined;

  constructor({
    capacity,
    perOwner,
    inCompany = perOwner,
    least = 1,
    alone = perOwner,
    now = () => performance.now(),
  }: Options) {
    this.#capacity = capacity;
    this.#perOwner = perOwner;
    this.#inCompany = Math.min(inCompany, perOwner);
    this.#least = Math.min(least, this.#inCompany);
    this.#alone = alone;
    this.#now = now;
  }

  /** Number of turns that are waited for. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The weight of the turns that are held. */
  get taken(): number {
    return this.#taken;
  }

  /** A turn, where one is free at once. */
  tryTake(name: string, weight = 1): Turn | undefined {
    const owner = this.#ownerOf(name);
    this.#noteAsked(owner);
    if (this.#waiting > 0 || !this.#fits(owner, weight) || this.#isFull(owner, weight)) return undefined;
    return this.#grant(owner, weight);
  }

  /** Waits for a turn. */
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
        // What waits behind it may be lighter.
        this.#grantAll();
      },
    };
  }

  #ownerOf(name: string): Owner {
    let owner = this.#owners.get(name);
    if (!owner) {
      owner = { name, taken: 0, waiting: [], used: this.#clock, usualMs: 1 };
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

  #hasCompany(owner: Owner): boolean {
    const other = this.#lastAsked?.owner === owner ? this.#askedBefore : this.#lastAsked;
    return other !== undefined && this.#now() - other.at < RECENT_MS;
  }

  #most(owner: Owner, weight: number): number {
    if (!this.#hasCompany(owner)) {
      return weight === 1 && owner.usualMs <= NEWCOMER_MS ? this.#alone : this.#perOwner;
    }
    if (owner.usualMs <= QUICK_MS) return this.#inCompany;
    return Math.max(this.#least, Math.floor((this.#inCompany * QUICK_MS) / owner.usualMs));
  }

  #fits = (owner: Owner, weight: number): boolean =>
    owner.taken === 0 || owner.taken + weight <= this.#most(owner, weight);

  #isFull = (owner: Owner, weight: number): boolean =>
    this.#taken > 0 && this.#taken + weight > Math.max(this.#capacity, this.#most(owner, weight));

  #grant(owner: Owner, weight: number): Turn {
    // What is not known yet is charged as usual, so that many turns at once do not count as none.
    const charged = owner.usualMs * weight;
    owner.taken += weight;
    owner.used += charged;
    this.#taken += weight;
    this.#clock = Math.max(this.#clock, owner.used - charged);
    const since = this.#now();
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        const took = this.#now() - since;
        owner.taken -= weight;
        owner.used += took * weight - charged;
        owner.usualMs += (took - owner.usualMs) / 8;
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
      // The next in line is not passed by lighter ones, or it might wait for ever.
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
