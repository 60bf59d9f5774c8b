import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { logFault } from '../db/log-fault.ts';
import { keepJudgmentIndexes } from '../store/memory/vector-indexes.ts';

/** Sees to the indexes of API keys with many judgments, where the server has pgvector. */
export async function indexJudgments(
  { database, log }: { database: Database; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  try {
    const kept = await database.unhurried((db) => keepJudgmentIndexes(db, signal), signal);
    if (kept.made.length + kept.dropped.length > 0)
      log.info(kept, 'indexes of judgments follow how many there are');
  } catch (error) {
    if (!signal.aborted) logFault(log, error, 'judgments cannot be indexed');
  }
}
