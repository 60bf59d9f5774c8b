import { z } from 'zod';

/** Device of one strategy in place of the run's. */
export const deviceTypeOption = z.enum(['mobile', 'desktop']);
