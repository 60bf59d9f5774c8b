import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { modelProviders } from '../../../outside/models/models.ts';
import { resolveConfig, resolvedConfig } from '../../../review/authoring/resolve-config.ts';
import { promptText } from '../../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/agents/config/resolve',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  summary: "Suggest gather strategies and execution settings for an agent's instructions.",
  description:
    'A language model decides if one is configured; otherwise keywords in the instructions do. Settings that cannot be inferred have defaults that suit most agents.',
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
