import { z } from 'zod';
import { deviceTypeOption } from './reading/device-type-option.ts';

export const webPageAccessibilityOptions = z.looseObject({
  tags: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Check only rules with one of these axe-core tags, such as `wcag2aa`.'),
  rules: z
    .record(z.string(), z.looseObject({ enabled: z.boolean() }))
    .optional()
    .describe('Switches rules of axe-core on or off by their id.'),
  deviceType: deviceTypeOption.optional(),
});
