import { keepContext } from '../lib/tracing/tracing.ts';
import type { Statement } from './prepared.ts';
import { type Db, isTransaction } from './tables.ts';

/** Requests per group, and approximate characters of their arguments: a group is one statement and one commit. */
const MAX_MEMBERS = 64;
const MAX_CHARS = 500_000;
/** A statement that takes longer probably waits for a lock, and those behind it may have another one to wait for. */
const PATIENCE_MS = 50;

export interface Grouping<Args, Row> {
  /** Only requests of one lane share a statement: a lane never contains two API keys. */
  laneOf(args: Args): string;
  /** Names of what at most one member of a group writes; the next one with the same name waits for another group. */
  keysOf(args: Args): readonly string[];
  sizeOf(args: Args): number;
  alone(db: Db, args: Args): Promise<Row[]>;
  /**
   * Runs all in one statement that waits for no row lock. Returns the rows of each; undefined for those that it left out,
   * of which it wrote nothing.
   */
  together(db: Db, many: readonly Args[]): Promise<(Row[] | undefined)[]>;
}

interface Member<Args, Row> {
  args: Args;
  /** Runs work as part of the request of this member. */
  inContext: ReturnType<typeof keepContext>;
  resolve(rows: Row[] | PromiseLike<Row[]>): void;
  reject(error: unknown): void;
}

/**
 * A statement that requests share: while one of a lane runs, the requests that arrive collect, and are written by the
 * next one together. If that fails, each is run again alone, so that every request has its own result and its own
 * failure. Within a transaction, a statement always runs alone.
 */
export function grouped<Args, Row>(grouping: Grouping<Args, Row>): (args: Args) => Statement<Row> {
  const lanes = new WeakMap<Db, Map<string, Lane<Args, Row>>>();
  const laneOf = (db: Db, name: string): Lane<Args, Row> => {
    const ofDatabase = lanes.get(db) ?? new Map<string, Lane<Args, Row>>();
    lanes.set(db, ofDatabase);
    const lane = ofDatabase.get(name) ?? new Lane(db, grouping, () => ofDatabase.delete(name));
    ofDatabase.set(name, lane);
    return lane;
  };
  return (args) => ({
    run: (db) => (isTransaction(db) ? grouping.alone(db, args) : laneOf(db, grouping.laneOf(args)).add(args)),
  });
}

class Lane<Args, Row> {
  readonly #db: Db;
  readonly #grouping: Grouping<Args, Row>;
  readonly #onIdle: () => void;
  #waiting: Member<Args, Row>[] = [];
  #isBusy = false;

  constructor(db: Db, grouping: Grouping<Args, Row>, onIdle: () => void) {
    this.#db = db;
    this.#grouping = grouping;
    this.#onIdle = onIdle;
  }

  add(args: Args): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    this.#waiting.push({ args, inContext: keepContext(), resolve, reject });
    if (!this.#isBusy) void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const running = this.#run(this.#take());
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, PATIENCE_MS);
      await Promise.race([running, late]);
      clearTimeout(timer);
    }
    this.#isBusy = false;
    this.#onIdle();
  }

  /** The oldest members that fit into one statement, at least one. */
  #take(): Member<Args, Row>[] {
    const keys = new Set<string>();
    const apart: Member<Args, Row>[] = [];
    const group: Member<Args, Row>[] = [];
    let chars = 0;
    let taken = 0;
    for (const member of this.#waiting) {
      const size = this.#grouping.sizeOf(member.args);
      if (group.length === MAX_MEMBERS || (taken > 0 && chars + size > MAX_CHARS)) break;
      taken += 1;
      const own = this.#grouping.keysOf(member.args);
      if (own.some((key) => keys.has(key))) {
        apart.push(member);
        continue;
      }
      for (const key of own) keys.add(key);
      group.push(member);
      chars += size;
    }
    // Those that must not be in this group are first in the next.
    this.#waiting = [...apart, ...this.#waiting.slice(taken)];
    return group;
  }

  async #run(group: readonly Member<Args, Row>[]): Promise<void> {
    const [first] = group;
    if (group.length === 1) return await this.#runAlone(first!);
    try {
      const many = group.map(({ args }) => args);
      // A statement belongs to one trace only.
      const results = await first!.inContext(() => this.#grouping.together(this.#db, many));
      const left = group.filter((member, index) => {
        const rows = results[index];
        if (rows) member.resolve(rows);
        return !rows;
      });
      // Not awaited: they may wait for locks, for which the lane does not wait.
      for (const member of left) void this.#runAlone(member);
    } catch (error) {
      // Without an answer of the server, the group may have been committed.
      const isUndone = isFromServer(error);
      for (const member of group) {
        if (isUndone) void this.#runAlone(member);
        else member.reject(error);
      }
    }
  }

  async #runAlone({ args, inContext, resolve, reject }: Member<Args, Row>): Promise<void> {
    await inContext(() => this.#grouping.alone(this.#db, args)).then(resolve, reject);
  }
}

/** True for an error that the server reported for the statement, which it has undone. */
const isFromServer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';
