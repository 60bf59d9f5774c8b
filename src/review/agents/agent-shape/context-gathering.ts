import { z } from 'zod';
import { gatherNames, gatherOptions } from '../../gather/index.ts';
import { aiConfig } from './ai-config.ts';

const optional = [...gatherOptions].map(([name, options]) => [name, options.optional()] as const);

/** What is collected of a page before it is reviewed. */
export const contextGathering = z.looseObject({
  strategies: z.array(z.enum(gatherNames)).min(1).optional().describe('By default none.'),
  strategyOptions: z.looseObject(Object.fromEntries(optional)).optional().describe('By strategy name.'),
  aiConfig: aiConfig.optional(),
});
