import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { rowOf } from '../sql-fragments.ts';
import type { OnStatement } from '../statement-watch.ts';
import type { Db } from '../tables.ts';
import { connectionSettings, openPool, type SharedPool } from './pool.ts';
import { probePooling } from './pooling.ts';
import { latestPosition, shared, visiblePosition, type WalPosition } from './wal-position.ts';

/** Longest wait for a replica to have what the primary has. */
const CATCH_UP_MS = 100;
const POLL_MS = 3;
/** Longest wait for an answer; a network that hangs must not hold reads up. */
const ANSWER_MS = 2_000;
/** A replica that is behind for so long has stopped to follow, or cannot keep up. */
const BEHIND_MS = 5_000;
/** Pause before a replica that failed is tried again. */
const RETRY_MS = 5_000;

export interface ReplicaOptions {
  url: string;
  primary: Db;
  onStatement: OnStatement;
  /** Called when the replica fails or can be used again. */
  onChange: () => void;
}

export interface ReplicaState {
  /** Host and port, or the folder of its socket. */
  name: string;
  /** The reason why it is not used now; undefined if it is used. */
  fault: string | undefined;
  /** Bytes of the write-ahead log by which it was behind when it was last asked. */
  lagBytes: number;
}

const NOT_ASKED = 'It has not answered yet.';

/** A server that follows the primary, and the connections to it. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #name: string;
  #opened: SharedPool | undefined;
  #fault: string | undefined = NOT_ASKED;
  #isStandby = true;
  #position: WalPosition = 0n;
  #lag: WalPosition = 0n;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #behindSince: number | undefined;
  readonly #primaryPosition: () => Promise<WalPosition>;
  #ask = shared(() => this.#askPosition());
  /** Connects if needed, and checks that the server follows the primary. Never throws. */
  readonly look = shared(() => this.#look());

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { host, port } = new pg.Client(options.url);
    this.#name = host.startsWith('/') ? host : `${host}:${port}`;
    this.#primaryPosition = latestPosition(options.primary);
  }

  /** The query builder; undefined while the replica is not used. */
  get db(): Db | undefined {
    return this.#fault === undefined ? this.#opened?.db : undefined;
  }

  state(): ReplicaState {
    return { name: this.#name, fault: this.#fault, lagBytes: Number(this.#lag) };
  }

  /** True once it shows everything up to a position; false if that takes too long. Throws if it cannot be asked. */
  async reaches(wanted: WalPosition): Promise<boolean> {
    const end = performance.now() + CATCH_UP_MS;
    while (this.#position < wanted) {
      await this.#answer();
      this.#lag = wanted > this.#position ? wanted - this.#position : 0n;
      if (this.#lag === 0n) break;
      if (performance.now() > end) {
        this.#noteBehind();
        return false;
      }
      await sleep(POLL_MS);
    }
    this.#behindSince = undefined;
    return true;
  }

  /** Takes it out of use until it answers again. */
  fail(error: Error): void {
    if (this.#isClosed) return;
    const reason = reasonOf(error);
    this.#setFault(/[.!?]$/.test(reason) ? reason : `${reason}.`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#opened?.close();
  }

  #noteBehind(): void {
    this.#behindSince ??= performance.now();
    if (performance.now() - this.#behindSince > BEHIND_MS) this.fail(this.#behindError());
  }

  #behindError(): Error {
    return new Error(`It is ${this.#lag} bytes behind the primary, and does not catch up.`);
  }

  async #answer(): Promise<void> {
    const ending = new AbortController();
    const late = sleep(ANSWER_MS, undefined, { signal: ending.signal }).then(() => {
      throw new Error(`It has not answered within ${ANSWER_MS / 1_000} seconds.`);
    });
    // The wait is aborted once the answer is there.
    late.catch(() => {});
    try {
      await Promise.race([this.#ask(), late]);
    } catch (error) {
      // Later questions do not wait for an answer that may never come.
      this.#ask = shared(() => this.#askPosition());
      throw error;
    } finally {
      ending.abort();
    }
  }

  async #askPosition(): Promise<void> {
    const { position, isStandby } = await visiblePosition(this.#opened!.db);
    if (this.#isStandby && !isStandby) {
      throw new Error('It does not follow the primary any more: it accepts changes of its own.');
    }
    this.#position = position;
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const { url, onStatement } = this.#options;
      if (this.#opened === undefined) {
        const connection = { connectionString: url };
        const pooling = await probePooling(connectionSettings(connection));
        // After a restart, a server may show less than it did, so each new connection asks again. An error of an idle
        // connection is no reason to log: the next read finds out whether the server is there.
        const forget = () => {
          this.#position = 0n;
        };
        const opened = openPool(connection, { kind: 'server', pooling, onError: forget, onStatement });
        opened.pool.on('connect', forget);
        if (this.#isClosed) return await opened.close();
        this.#opened = opened;
      }
      this.#isStandby = await this.#requireReplica(this.#opened.db);
      this.#position = 0n;
      if (!(await this.reaches(await ofPrimary(this.#primaryPosition())))) throw this.#behindError();
      this.#setFault(undefined);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Throws unless it is a standby of the primary, or the primary itself. Returns true for a standby. */
  async #requireReplica(db: Db): Promise<boolean> {
    const primary = await ofPrimary(identify(this.#options.primary));
    const found = await identify(db);
    if (found.system !== primary.system || found.database !== primary.database) {
      throw new Error('It is a server of other data than that of DATABASE_URL.');
    }
    if (!found.isStandby && found.startedAt !== primary.startedAt) {
      throw new Error('It does not follow the primary: it accepts changes of its own.');
    }
    return found.isStandby;
  }

  #setFault(fault: string | undefined): void {
    const isChange = (this.#fault === undefined) !== (fault === undefined) || this.#fault === NOT_ASKED;
    this.#fault = fault;
    clearTimeout(this.#retry);
    if (fault !== undefined && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.look(), RETRY_MS);
      this.#retry.unref();
    }
    if (isChange) this.#options.onChange();
  }
}

const reasonOf = (error: Error): string =>
  error.message || (error as NodeJS.ErrnoException).code || error.name;

/** An answer of the primary, whose failure is no fault of the replica. */
const ofPrimary = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: Error) => {
    throw new Error(`The primary cannot be asked how far it is: ${reasonOf(error)}`);
  });

const serverRow = z.object({
  system: z.string(),
  database: z.string(),
  startedAt: z.string(),
  isStandby: z.boolean(),
});

const identify = (db: Db) =>
  rowOf(
    db,
    serverRow,
    sql`select cast(system_identifier as text) as system, current_database() as database,
      cast(extract(epoch from pg_postmaster_start_time()) as text) as started_at,
      pg_is_in_recovery() as is_standby from pg_control_system()`,
  );
