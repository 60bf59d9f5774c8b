import { z } from 'zod';

export const lighthouseOptions = z.looseObject({
  categories: z.array(z.string().min(1)).min(1).optional().describe('Audit categories to run.'),
  formFactor: z.enum(['mobile', 'desktop']).optional(),
});
