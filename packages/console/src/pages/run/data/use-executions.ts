import type { Execution, ReviewRecord } from '@redpen/client';
import { useKeyQuery } from '../../../data/use-key-query.ts';

const AT_ONCE = 4;

/** What only the runs of an ended review say: tokens, models and findings that are held back. */
export const useExecutions = ({ id, executions, status }: ReviewRecord) =>
  useKeyQuery(
    ['review-executions', id],
    async (redpen, signal) => {
      const all: Execution[] = [];
      const waiting = executions.map(({ executionId }) => executionId);
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { execution } = await redpen.executions.get({ executionId: next }, { signal });
          all.push(execution);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return all;
    },
    { enabled: status === 'ended' },
  );
