import type { Guard } from '../guard.ts';
import type { ConnectMcp } from './mcp.ts';

export const createConnectMcp =
  (_: { guard: Guard }): ConnectMcp =>
  async () => {
    throw new Error('not built yet');
  };
