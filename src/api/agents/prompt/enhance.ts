import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { modelFailures } from '../../../outside/models/model-api-error.ts';
import { modelProviders } from '../../../outside/models/models.ts';
import { enhancedPrompt, enhancePrompt } from '../../../review/authoring/enhance-prompt.ts';
import { promptText, userContextFields } from '../../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/agents/prompt/enhance',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Find the most important gap in a prompt.',
  description: 'Returns one question, or null as `requirement` if nothing is missing.',
  data: z
    .object({ prompt: promptText, provider: z.enum(modelProviders).optional(), userContextFields })
    .meta({ examples: [{ prompt: 'Report prices that are out of date.' }] }),
  result: z.object({ enhancedPrompt }),
  message: 'Prompt enhanced successfully',
  failures: modelFailures,

  async handle({ provider, ...asked }, { outside: { models }, settings }) {
    return { enhancedPrompt: await enhancePrompt(asked, { models, provider, tokens: settings.runTokens }) };
  },
});
