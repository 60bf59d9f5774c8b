import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { modelProviders } from '../../../outside/models/models.ts';
import { resolveConfig, resolvedConfig } from '../../../review/authoring/resolve-config.ts';
import { promptText } from '../../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/agents/config/resolve',
  auth: 'apiKey',
  storesNothing: true,
  summary: 'Tell how an agent with these instructions should gather and judge.',
  description:
    'A language model decides where one is configured, else the words of the instructions do. What cannot be decided is answered with what does for most agents.',
  data: z
    .object({
      instructions: promptText,
      rawInstructions: z.string().max(50_000).optional(),
      provider: z.enum(modelProviders).optional(),
    })
    .meta({ examples: [{ instructions: 'Report links that do not work.' }] }),
  result: z.object({ resolvedConfig }),
  message: 'Config resolved successfully',

  async handle({ provider, ...asked }, { outside: { models }, settings }) {
    return { resolvedConfig: await resolveConfig(asked, { models, provider, tokens: settings.runTokens }) };
  },
});
