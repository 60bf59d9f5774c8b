import type { ExecutionStrategy } from '../core/execute-task.ts';
import { RunFault } from '../core/run-error.ts';
import { services } from '../services/index.ts';

/** Runs the registered service that the agent names. */
export const service: ExecutionStrategy = {
  name: 'service',
  async execute(task, context) {
    const { serviceId } = task.execution;
    const chosen = services.find((known) => known.id === serviceId);
    if (!chosen)
      throw new RunFault('INTERNAL', `No service is named ${String(serviceId)}.`, { retryable: false });
    return await chosen.run(task, context);
  },
};
