import { emit } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { countPages } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import type { RunLease } from '../core/run-lease.ts';

type Phase = EventPayload<'agent_execution.progress'>['phase'];

/** Announces how far a run is to live clients. */
export interface RunProgress {
  enter(phase: Phase): void;
  /** Notes that there may be news, which are announced together with others. */
  note(): void;
  /** Announces nothing from the moment on at which it resolves. */
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;

/** Announces the progress of a run once, and then at most once in `everyMs`. A failure is reported and changes nothing. */
export function startProgress(
  lease: Pick<RunLease, 'db' | 'ref' | 'owner'>,
  { agentId }: Pick<ExecutionRow, 'agentId'>,
  onError: (error: unknown) => void,
  everyMs = EVERY_MS,
): RunProgress {
  let phase: Phase = 'planning';
  let isStopped = false;
  let isNew = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const look = (): void => {
    timer = undefined;
    if (!isNew || isStopped) return;
    isNew = false;
    writing = announce(lease, agentId, phase)
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) onError(error);
      })
      .finally(() => {
        writing = undefined;
        if (!isStopped) timer = setTimeout(look, everyMs);
      });
  };
  const note = (): void => {
    isNew = true;
    if (timer === undefined && writing === undefined) look();
  };
  return {
    enter(next) {
      phase = next;
      note();
    },
    note,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await writing;
    },
  };
}

/** Holds the lease, so that nothing is announced after the end of the run. */
const announce = (
  { db, ref, owner }: Pick<RunLease, 'db' | 'ref' | 'owner'>,
  agentId: string,
  phase: Phase,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const { planned: total, processed: done, findings } = await countPages(tx, ref);
    await emit(tx, ref, 'agent_execution.progress', {
      executionId: ref.executionId,
      agentId,
      ...(document.documentId !== '' && document),
      phase,
      message: messages[phase](done, total),
      done,
      total,
      findings,
    });
  });

const messages: Record<Phase, (done: number, total: number) => string> = {
  planning: () => 'Looking for pages.',
  reviewing: (done, total) => `Reviewed ${done} of ${plural(total, 'page')}.`,
  comparing: () => 'Comparing the pages.',
  finishing: () => 'Grouping the findings.',
};
