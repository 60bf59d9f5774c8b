import { type FaultLog, logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { JobPayload } from '../../jobs/job.ts';
import { DAY_MS } from '../../lib/day.ts';
import { LeaseLost, listDue } from '../../store/memory/consolidations.ts';
import { consolidate } from './consolidate.ts';

interface Log extends FaultLog {
  info(context: object, message: string): void;
}

/** After which no judgment is recent enough for anything to be unusual about the last week. */
const STILL_NEW_MS = 37 * DAY_MS;

/** Consolidates the API key that is named, or each whose judgments changed, one after the other. */
export async function consolidateDue(
  { db, log }: { db: Db; log: Log },
  { key, force = false }: JobPayload<'memory.consolidate'>,
  signal: AbortSignal,
): Promise<void> {
  const due = key ? [key] : await listDue(db, { stillNewMs: STILL_NEW_MS, dayMs: DAY_MS });
  for (const scope of due) {
    if (signal.aborted) return;
    try {
      await consolidate({ db, log }, scope, { force, signal });
    } catch (error) {
      if (signal.aborted) return;
      const { apiKeyId } = scope;
      // Whoever has the lease now does it all.
      if (error instanceof LeaseLost) log.info({ apiKeyId }, error.message);
      else logFault(log, error, 'memory of an API key cannot be consolidated', { apiKeyId });
    }
  }
}
