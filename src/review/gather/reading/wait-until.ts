import { z } from 'zod';
import type { WaitUntil } from '../../../outside/browser/browser.ts';

/** The wait conditions of the wire: those of the common browser drivers. */
export const waitUntil = z.enum([
  'domcontentloaded',
  'load',
  'networkidle',
  'networkidle0',
  'networkidle2',
  'commit',
]);

/** The condition that the browser waits for: what it has no name for counts as the next stricter one it has. */
export function browserWait(
  condition: z.infer<typeof waitUntil> | undefined,
  otherwise: WaitUntil,
): WaitUntil {
  if (condition === undefined) return otherwise;
  if (condition === 'commit') return 'domcontentloaded';
  return condition.startsWith('networkidle') ? 'networkidle' : (condition as WaitUntil);
}
