import { z } from 'zod';
import { lighthouseCategories } from '../../outside/lighthouse/lighthouse-report.ts';

export const lighthouseOptions = z.looseObject({
  categories: z
    .array(z.enum(lighthouseCategories))
    .min(1)
    .optional()
    .describe('Audit categories to run; all of them by default.'),
  formFactor: z.enum(['mobile', 'desktop']).optional().describe('By default the device of the run.'),
});
