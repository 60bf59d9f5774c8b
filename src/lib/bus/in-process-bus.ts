import type { Bus } from './bus.ts';

/** The bus of a service that is a single process: there is nobody to send to or to hear from. */
export const createLoneBus = (): Bus => ({
  publish: async () => {},
  subscribe: async () => async () => {},
  onGap: () => () => {},
  isConnected: () => true,
  close: async () => {},
});
