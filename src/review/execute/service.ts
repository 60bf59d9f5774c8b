import type { ExecutionStrategy } from '../core/execution-strategy.ts';
import { RunFault } from '../core/run-error.ts';
import { services } from '../services/index.ts';

/** Runs the service that the agent names. */
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
