import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { modelFailures } from '../../../outside/models/model-api-error.ts';
import { modelProviders } from '../../../outside/models/models.ts';
import { refinePrompt, refinerResult } from '../../../review/authoring/refine-prompt.ts';
import { promptText } from '../../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/agents/prompt/refine',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: "Refine a prompt with its author's feedback on examples.",
  description:
    'Asks a language model, which costs tokens, and stores nothing. The model is instructed to keep what no feedback concerns, and placeholders such as `{{userContext.name}}`. The result can be refined again.',
  data: z
    .object({
      analysisPrompt: promptText,
      demoFeedback: z
        .array(
          z.object({
            demoId: z.string().min(1).max(200).describe('As returned by agents/prompt/validate.'),
            demoTitle: z.string().max(1_000),
            demoHtml: z.string().max(50_000),
            demoExpected: z.string().max(1_000),
            feedback: z.string().max(10_000),
          }),
        )
        .min(1)
        .max(50),
      provider: z.enum(modelProviders).optional(),
    })
    .meta({
      examples: [
        {
          analysisPrompt: '# Objective\nReport prices that are out of date.',
          demoFeedback: [
            {
              demoId: 'case-1',
              demoTitle: 'Last year',
              demoHtml: '<p>Prices of 2024</p>',
              demoExpected: 'detected',
              feedback: 'The year alone is no price.',
            },
          ],
        },
      ],
    }),
  result: z.object({ refinerResult }),
  message: 'Prompt refined successfully',
  failures: modelFailures,

  async handle({ provider, ...asked }, { outside: { models }, settings }) {
    return { refinerResult: await refinePrompt(asked, { models, provider, tokens: settings.runTokens }) };
  },
});
