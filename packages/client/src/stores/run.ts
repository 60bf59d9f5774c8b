import { type Connection, unanswered } from '../connection.ts';
import type { Execution, Finding, LogEvent, Operations } from '../operations.ts';
import { persevere } from './away.ts';
import { pagesOf } from './page.ts';
import { type Store, type StoreState, storeOf } from './store.ts';

export interface RunState extends StoreState {
  /** Undefined while it is being read. */
  readonly execution?: Execution | undefined;
  /** The log so far. */
  readonly lines: readonly LogEvent[];
  /** The findings so far, in the order of the pages. */
  readonly findings: readonly Finding[];
  /** Of a running execution. */
  readonly progress?: Execution['progress'];
}

/** A run of an agent; its state is `ended` when the run has ended. */
export interface RunStore extends Store<RunState> {
  cancel(reason?: string): Promise<void>;
}

type Log = Operations['/v2/agents/execution/events']['result'];

const PATH = '/v2/agents/execution/';
const WAIT_MS = 20_000;

/** The service is asked for new lines of the log, and answers when there are some. */
export function runStore(connection: Connection, executionId: string, initial: RunState): RunStore {
  const store = storeOf<RunState>(initial, (signal) => {
    const ask = async <T>(operation: string, data?: object): Promise<T> => {
      const send = () => connection.send(PATH + operation, { executionId, ...data }, { signal });
      return (await persevere(send, signal, () => store.set({ status: 'offline' }))).result.data;
    };
    async function follow(): Promise<void> {
      let lines: LogEvent[] = [];
      for (let after: string | null = null, waitMs = 0, isDone = false; !isDone; waitMs = WAIT_MS) {
        const log: Log = await ask('events', { after, waitMs, limit: 500 });
        after = log.next;
        isDone = log.done;
        lines = [...lines, ...log.events];
        const { execution } = await ask<{ execution: Execution }>('get');
        const findings: Finding[] = [];
        const pages = pagesOf<Finding>(connection, `${PATH}findings`, { executionId }, signal);
        for await (const { items } of pages) findings.push(...items);
        const { progress } = execution;
        store.set({ status: isDone ? 'ended' : 'live', lines, execution, progress, findings });
      }
    }
    store.set({ status: 'loading', error: undefined });
    follow().catch((thrown: unknown) => {
      if (!signal.aborted) store.set({ status: 'failed', error: unanswered(thrown) });
    });
  });
  return {
    get: store.get,
    subscribe: store.subscribe,
    cancel: async (reason) => void (await connection.send(`${PATH}cancel`, { executionId, reason })),
  };
}
