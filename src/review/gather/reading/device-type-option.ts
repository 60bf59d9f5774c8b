import { z } from 'zod';

/** Overrides the device of the run for one strategy. */
export const deviceTypeOption = z.enum(['mobile', 'desktop']);
