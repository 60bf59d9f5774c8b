import { RunFault } from '../run-fault.ts';
import { services } from './services/services.ts';
import type { ExecutionStrategy } from './strategy.ts';

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
