import { Counter, Gauge, type Metric } from 'prom-client';
import type { ReplicaState } from './replica.ts';

/** Reads of requests, by the server that answered them and why. */
export const replicaReads = new Counter({
  name: 'redpen_database_replica_reads_total',
  help: 'Reads that may go to a replica, by outcome: replica; and answered by the primary: behind (no replica had the latest changes in time), unavailable, failed, conflict (with the replay of changes), writes (the operation also writes).',
  labelNames: ['outcome'],
  registers: [],
});

export type ReadOutcome = 'replica' | 'behind' | 'unavailable' | 'failed' | 'conflict' | 'writes';

/** Metrics of the replicas; none without replicas. */
export function createReplicaMetrics(replicas: { states(): ReplicaState[] } | undefined): Metric[] {
  if (replicas === undefined) return [];
  for (const outcome of ['replica', 'behind', 'unavailable', 'failed', 'conflict', 'writes']) {
    replicaReads.inc({ outcome }, 0);
  }
  return [
    replicaReads,
    new Gauge({
      name: 'redpen_database_replica_up',
      help: '1 if reads go to the replica.',
      labelNames: ['replica'],
      registers: [],
      collect() {
        for (const { name, fault } of replicas.states())
          this.set({ replica: name }, fault === undefined ? 1 : 0);
      },
    }),
    new Gauge({
      name: 'redpen_database_replica_lag_bytes',
      help: 'Bytes of the write-ahead log by which the replica was behind when it was last asked.',
      labelNames: ['replica'],
      registers: [],
      collect() {
        for (const { name, lagBytes } of replicas.states()) this.set({ replica: name }, lagBytes);
      },
    }),
  ];
}
