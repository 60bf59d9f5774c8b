import type { Log } from '../browser/launch.ts';
import type { Guard } from '../guard.ts';
import type { BrowserAgent } from './browser-agent.ts';

export const createBrowserAgent = (_: {
  chromePath?: string | undefined;
  guard: Guard;
  log: Log;
}): BrowserAgent => ({
  run: async () => {
    throw new Error('not built yet');
  },
  close: async () => {},
});
