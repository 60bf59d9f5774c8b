import type { Booted } from '../boot.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { faultsOfLogPartitions } from '../db/partitions/log-partitions.ts';
import type { Readiness } from '../http/server/probes.ts';
import type { Worker } from './worker.ts';

/** The process is not ready if a change of an editor has been unstored for longer. */
const UNSTORED_MS = 10_000;

type ReadyDeps = Pick<Booted, 'db' | 'database' | 'storage' | 'realtime' | 'health'>;

/** Composes the answer of /ready from the state of the process, its worker and the checks of its dependencies. */
export function createReadiness(
  deps: ReadyDeps,
  worker: Worker | undefined,
  isStopping: () => boolean,
): () => Promise<Readiness> {
  const readinessOfDatabase = async (): Promise<Pick<Readiness, 'faults' | 'warnings'>> => {
    const pending = await pendingMigrations(deps.db);
    const ofWorker = await worker?.check();
    const faults = [
      ...pending.map((name) => `The migration ${name} has not run.`),
      ...(deps.realtime.health().oldestUnstoredMs > UNSTORED_MS
        ? ['Changes of live documents are not being stored.']
        : []),
      ...(ofWorker?.faults ?? []),
    ];
    const ofLogs = pending.length > 0 ? [] : await faultsOfLogPartitions(deps.db, Date.now());
    return { faults, warnings: [...(ofWorker?.warnings ?? []), ...ofLogs] };
  };
  return async () => {
    const known = [
      ...(isStopping() ? ['The process is stopping.'] : []),
      ...deps.database.faults(),
      ...deps.storage.faults(),
    ];
    const queried = await readinessOfDatabase().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return { faults: known.length > 0 ? [] : ['The database cannot be reached.'], warnings: [] };
    });
    const checks = deps.health.checks();
    const failed = checks.filter(({ status }) => status === 'failed');
    return {
      faults: [...known, ...queried.faults],
      warnings: [...failed.map(({ name, message }) => message ?? `${name} failed.`), ...queried.warnings],
      isDegraded: failed.length > 0,
      checks,
    };
  };
}
