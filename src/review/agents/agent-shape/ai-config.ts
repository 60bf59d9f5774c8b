import { z } from 'zod';

/** Which model answers. Unknown keys are refused, since a misspelt one would be paid for. */
export const aiConfig = z.strictObject({
  provider: z.enum(['gemini', 'claude', 'openai']).optional().describe("By default the installation's own."),
  model: z.string().min(1).optional().describe('Name of the model as the provider knows it.'),
  responseMimeType: z.string().min(1).optional(),
  maxToolTurns: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('How often the model may call tools with mcp-tools; capped at run time.'),
});
