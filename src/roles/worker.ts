import type { Booted } from '../boot.ts';
import type { Subscriber } from '../events/subscriber.ts';
import { startRelay } from '../events/relay.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import { pruneIdempotencyKeys } from '../store/idempotency.ts';
import { pruneEvents } from '../store/events.ts';

export interface Worker {
  faults(): string[];
  stop(): Promise<void>;
}

const RELAY_STANDS_STILL_MS = 15_000;

const subscribers: Subscriber[] = [];

/** Relays events and works on jobs. */
export async function startWorker(deps: Booted): Promise<Worker> {
  const { db, log, jobs } = deps;
  const handlers: JobHandlers = {
    'agent.run': async () => {},
    'maintenance.prune': async () => {
      await pruneIdempotencyKeys(db, Date.now());
      await pruneEvents(db, Date.now());
    },
  };
  const relay = startRelay(db, subscribers, (error) => log.error({ err: error }, 'event relay failed'));
  await jobs.work(handlers);
  return {
    faults: () => [
      ...(Date.now() - relay.health().lastLookAt > RELAY_STANDS_STILL_MS ? ['The event relay stands still.'] : []),
      ...(jobs.isRunning() ? [] : ['No jobs are worked on.']),
    ],
    async stop() {
      await relay.stop();
      await jobs.stop(2_000);
    },
  };
}
