import { z } from 'zod';

export const webPageAccessibilityOptions = z.looseObject({});
