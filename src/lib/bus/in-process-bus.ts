import type { Bus } from './bus.ts';

/** The bus of a service with a single process, which has no peers. */
export const createInProcessBus = (): Bus => ({
  publish: async () => {},
  subscribe: async () => async () => {},
  onGap: () => () => {},
  isConnected: () => true,
  close: async () => {},
});
