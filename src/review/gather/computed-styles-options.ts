import { z } from 'zod';
import { deviceTypeOption } from './reading/device-type-option.ts';

export const computedStylesOptions = z.looseObject({
  selectors: z.array(z.string().min(1)).min(1).describe('CSS selectors of the elements to inspect.'),
  properties: z.array(z.string().min(1)).min(1).optional().describe('Instead of the default properties.'),
  deviceType: deviceTypeOption.optional(),
});
