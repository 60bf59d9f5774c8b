import type { Log } from '../browser/launch.ts';
import type { Guard } from '../guard.ts';
import type { Lighthouse } from './lighthouse.ts';

export const createLighthouse =
  (_: { chromePath?: string | undefined; guard: Guard; log: Log }): Lighthouse =>
  async () => {
    throw new Error('not built yet');
  };
