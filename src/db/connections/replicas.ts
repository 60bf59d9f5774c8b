import type { Db } from '../tables.ts';
import { Replica, type ReplicaOptions, type ReplicaState } from './replica.ts';
import { type ReadOutcome, replicaReads } from './replica-metrics.ts';
import { latestPosition } from './wal-position.ts';

export interface Replicas {
  /**
   * Runs a read that sees everything that was committed before it, whichever process wrote it: on a replica that has it, or
   * on the primary if the replica does not have it soon. `work` runs again on the primary if the replica fails, so it must
   * change nothing.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  states(): ReplicaState[];
  /** Checks all replicas, and connects to those that are not used. */
  look(): Promise<void>;
  /** Calls back when a replica fails or can be used again. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** Replicas that take turns. Undefined without an address. */
export function openReplicas({
  urls,
  ...options
}: Omit<ReplicaOptions, 'url' | 'onChange'> & { urls: readonly string[] }): Replicas | undefined {
  if (urls.length === 0) return undefined;
  const { primary } = options;
  const listeners: (() => void)[] = [];
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  const replicas = urls.map((url) => new Replica({ ...options, url, onChange }));
  const position = latestPosition(primary);
  let turn = 0;
  const next = (): { replica: Replica; db: Db } | undefined => {
    for (let tried = 0; tried < replicas.length; tried++) {
      const replica = replicas[turn++ % replicas.length]!;
      if (replica.db !== undefined) return { replica, db: replica.db };
    }
    return undefined;
  };
  for (const replica of replicas) void replica.look();

  return {
    async read(work) {
      const onPrimary = async (outcome: ReadOutcome) => {
        replicaReads.inc({ outcome });
        return await work(primary);
      };
      const chosen = next();
      if (chosen === undefined) return await onPrimary('unavailable');
      const { replica, db } = chosen;
      const wanted = await position();
      try {
        if (!(await replica.reaches(wanted))) return await onPrimary('behind');
      } catch (error) {
        replica.fail(error as Error);
        return await onPrimary('failed');
      }
      try {
        const result = await work(db);
        replicaReads.inc({ outcome: 'replica' });
        return result;
      } catch (error) {
        const outcome = outcomeOf(error);
        if (outcome === undefined) throw error;
        if (outcome === 'failed') replica.fail(error as Error);
        return await onPrimary(outcome);
      }
    },
    states: () => replicas.map((replica) => replica.state()),
    look: async () => void (await Promise.all(replicas.map((replica) => replica.look()))),
    onChange: (listener) => void listeners.push(listener),
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}

/** The outcome of a read that the primary may answer; undefined if the error is that of the read. */
function outcomeOf(error: unknown): ReadOutcome | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A standby also refuses what assigns numbers of transactions.
  if (code === '25006' || (code === '55000' && /recovery/.test(error.message))) return 'writes';
  if (code === '40001' || code === '40P01') return 'conflict';
  // Not 57014: a statement that took too long would take as long on the primary.
  if (/^(08|28|53|57P)/.test(code) || syscall !== undefined) return 'failed';
  // The driver waits for longer than a server lets a statement run: the network is gone.
  return /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  )
    ? 'failed'
    : undefined;
}
