import { z } from 'zod';
import { agentBehavior } from '../../../shapes/agents/agent-behavior.ts';
import { gatherNames, gatherOptions } from '../../gather/index.ts';

const optional = [...gatherOptions].map(([name, options]) => [name, options.optional()] as const);

/** Narrows the behavior to the gather strategies that there are, each with its options. */
export const contextGathering = agentBehavior.shape.contextGathering.unwrap().extend({
  strategies: z.array(z.enum(gatherNames)).min(1).optional().describe('By default none.'),
  strategyOptions: z.looseObject(Object.fromEntries(optional)).optional().describe('By strategy name.'),
});
