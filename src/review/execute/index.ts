import { service } from './service.ts';
import type { ExecutionStrategy } from './strategy.ts';

/** The strategies that this version can run. */
export const executionStrategies: readonly ExecutionStrategy[] = [service];
