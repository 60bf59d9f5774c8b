import { z } from 'zod';

/** Options of an agent that finds its own way through a site. */
export const stagehandOptions = z.looseObject({
  mode: z.enum(['dom', 'hybrid', 'cua']).default('hybrid'),
  maxSteps: z.number().int().min(1).default(25),
  model: z.string().min(1).optional(),
  systemPrompt: z.string().optional(),
  useStructuredOutput: z.boolean().default(true),
  waitUntil: z.enum(['domcontentloaded', 'load', 'networkidle2']).default('networkidle2'),
  navigationTimeout: z.number().int().min(1).default(30_000).describe('In milliseconds.'),
});
