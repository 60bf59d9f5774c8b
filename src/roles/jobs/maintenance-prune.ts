import { z } from 'zod';
import { RETIRED_KEY_KEPT_MS } from '../../access/user-token.ts';
import type { Deps } from '../../deps.ts';
import { deleteMarkedFiles } from '../../files/stored-files.ts';
import type { Job } from '../../jobs/job.ts';
import { type Chore, runChores } from '../../jobs/run-chores.ts';
import { DAY_MS } from '../../lib/day.ts';
import { pruneSigningKeys } from '../../store/access/signing-keys.ts';
import { pruneContacts } from '../../store/access/token-contacts.ts';
import { pruneAudit } from '../../store/audit/prune-audit.ts';
import { pruneExpired, pruneSessions } from '../../store/identity/prune-identity.ts';
import { pruneTokens } from '../../store/keys/token-rotation.ts';
import { pruneUploads } from '../../store/knowledge/knowledge-uploads.ts';
import { pruneEditors } from '../../store/live/crdt-pruning.ts';
import { pruneLiveEvents } from '../../store/live/live-events.ts';
import { prunePresence } from '../../store/live/presence-rows.ts';
import { pruneJudgmentDeletions } from '../../store/memory/search-rows.ts';
import { pruneIdempotencyKeys } from '../../store/platform/idempotency.ts';
import { pruneRateCounters } from '../../store/platform/rate-counters.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'maintenance.prune': z.output<typeof payload>;
  }
}

const payload = z.object({});

/**
 * Removes rows and files that are no longer needed. How long they are kept is set beside each function; what settings
 * decide about is removed by `maintenance.retain`.
 */
export const PRUNING: readonly Chore<Deps>[] = [
  { name: 'idempotency keys', run: ({ db }, now) => pruneIdempotencyKeys(db, now) },
  { name: 'rate counters', run: ({ db }, now) => pruneRateCounters(db, now) },
  { name: 'live events', run: ({ db }, now) => pruneLiveEvents(db, now) },
  { name: 'contacts', run: ({ db }, now) => pruneContacts(db, now) },
  { name: 'presence', run: ({ db }, now) => prunePresence(db, now) },
  { name: 'editors', run: ({ db }, now) => pruneEditors(db, now) },
  { name: 'deleted judgments', run: ({ db }, now) => pruneJudgmentDeletions(db, now) },
  { name: 'uploads', run: ({ db }, now) => pruneUploads(db, now) },
  {
    name: 'files of deleted sources',
    run: ({ db, outside }, now) => deleteMarkedFiles(db, outside.blobs, now),
  },
  { name: 'sessions', run: ({ db }, now) => pruneSessions(db, now) },
  { name: 'expired links and tokens', run: ({ db }, now) => pruneExpired(db, now) },
  {
    name: 'audit log',
    async run({ db, settings: { keepAuditDays } }, now) {
      if (keepAuditDays > 0) await pruneAudit(db, now - keepAuditDays * DAY_MS);
    },
  },
  { name: 'expired tokens of API keys', run: ({ db }, now) => pruneTokens(db, now) },
  { name: 'signing keys', run: ({ db }, now) => pruneSigningKeys(db, now - RETIRED_KEY_KEPT_MS) },
];

/** Runs all pruning once a day. */
export const maintenancePrune: Job<'maintenance.prune', Deps> = {
  name: 'maintenance.prune',
  payload,
  retries: 2,
  timeoutSeconds: 600,
  concurrency: 1,
  schedule: '17 3 * * *',
  async run(_, deps) {
    const failed = await runChores(PRUNING, deps);
    // Throws so that the queue retries, because rows that are not removed pile up.
    if (failed.length > 0) throw new Error(`Chores failed: ${failed.join(', ')}.`);
  },
};
