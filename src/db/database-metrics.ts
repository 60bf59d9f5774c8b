import { Counter, Gauge, Histogram, type Metric } from 'prom-client';

/** Connections of the pool that requests and background work share. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  max: number;
}

export const databaseErrors = new Counter({
  name: 'redpen_database_errors_total',
  help: 'Statements that failed, by class: connection, resources, timeout, conflict (retried), constraint (for example a duplicate), other.',
  labelNames: ['class'],
  registers: [],
});

export const statementSeconds = new Histogram({
  name: 'redpen_database_statement_duration_seconds',
  help: 'Time of statements, from this process to the server and back, without the wait for a connection.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [],
});

export const slowStatements = new Counter({
  name: 'redpen_database_slow_statements_total',
  help: 'Statements that took as long as REDPEN_SLOW_STATEMENT_MS.',
  registers: [],
});

/** Metrics of the connection pool and of statements. */
export const createDatabaseMetrics = (pool: () => PoolState): Metric[] => [
  new Gauge({
    name: 'redpen_database_connections',
    help: 'Connections of the database pool, by state: in_use, idle.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { inUse, idle } = pool();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
    },
  }),
  new Gauge({
    name: 'redpen_database_connections_max',
    help: 'Maximum number of connections of the database pool.',
    registers: [],
    collect() {
      this.set(pool().max);
    },
  }),
  new Gauge({
    name: 'redpen_database_waiting',
    help: 'Statements and transactions that wait for a database connection.',
    registers: [],
    collect() {
      this.set(pool().waiting);
    },
  }),
  databaseErrors,
  statementSeconds,
  slowStatements,
];

const CLASSES: [RegExp, string][] = [
  [/^(08|57P)/, 'connection'],
  [/^53/, 'resources'],
  [/^(57014|55P03|25P0[34])/, 'timeout'],
  [/^40/, 'conflict'],
  [/^23/, 'constraint'],
  [/^[0-9A-Z]{5}$/, 'other'],
];

// Each series begins at 0, since an alert on an increase does not see a series that appears with its first count.
for (const [, name] of CLASSES) databaseErrors.inc({ class: name }, 0);

/** Errors without an SQLSTATE are errors of the connection. */
export function countError(error: unknown): void {
  const { code = '' } = (error ?? {}) as { code?: unknown };
  const found = CLASSES.find(([codes]) => codes.test(String(code)));
  databaseErrors.inc({ class: found?.[1] ?? 'connection' });
}
