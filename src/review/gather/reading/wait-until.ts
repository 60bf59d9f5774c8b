import { z } from 'zod';
import type { WaitUntil } from '../../../outside/outside.ts';

/** Wait conditions as callers write them: those of Playwright and Puppeteer. */
export const waitUntil = z.enum([
  'domcontentloaded',
  'load',
  'networkidle',
  'networkidle0',
  'networkidle2',
  'commit',
]);

/** Maps a condition to the browser's: to the next stricter one if the browser does not know it. */
export function browserWait(
  condition: z.infer<typeof waitUntil> | undefined,
  otherwise: WaitUntil,
): WaitUntil {
  if (condition === undefined) return otherwise;
  if (condition === 'commit') return 'domcontentloaded';
  return condition.startsWith('networkidle') ? 'networkidle' : (condition as WaitUntil);
}
