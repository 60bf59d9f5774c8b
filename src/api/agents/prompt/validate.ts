import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { modelFailures } from '../../../outside/models/model-api-error.ts';
import { modelProviders } from '../../../outside/models/models.ts';
import { validatePrompt, validationResult } from '../../../review/authoring/validate-prompt.ts';
import { promptText, userContextFields } from '../../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/agents/prompt/validate',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Structure a prompt, and generate examples that test it.',
  description:
    'Asks a language model, which costs tokens, and stores nothing. Show the examples in `demos` to the author, and send the feedback to agents/prompt/refine.',
  data: z
    .object({ prompt: promptText, provider: z.enum(modelProviders).optional(), userContextFields })
    .meta({ examples: [{ prompt: 'Report prices that are out of date.' }] }),
  result: z.object({ validationResult }),
  message: 'Prompt validated successfully',
  failures: modelFailures,

  async handle({ provider, ...asked }, { outside: { models }, settings }) {
    return {
      validationResult: await validatePrompt(asked, { models, provider, tokens: settings.runTokens }),
    };
  },
});
