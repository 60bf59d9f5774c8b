import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { askToRewrite } from '../../review/authoring/ask-to-rewrite.ts';
import { promptText } from '../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/rewriter/ask-ai',
  auth: 'apiKey',
  storesNothing: true,
  summary: 'Have a language model work on a text.',
  description:
    'The name of the model determines the provider: `gpt-`, `o1-`, `o3-` and `o4-` are those of OpenAI, `claude-` of Anthropic, `gemini-` of Google. A model that does not answer is reported in `error`, with the HTTP status 200.',
  data: z
    .object({
      model: z.string().min(1).max(200),
      prompt: promptText.describe('What is to be done.'),
      text: z
        .string()
        .regex(/\S/, { error: 'must not be empty' })
        .max(200_000)
        .describe('What it is to be done to.'),
    })
    .meta({ examples: [{ model: 'gpt-5.6-luna', prompt: 'Make it shorter.', text: 'It is rather long.' }] }),
  result: z.union([
    z.object({ success: z.literal(true), text: z.string() }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
  envelope: 'bare',
  message: '',
  failures: { INVALID_ARGUMENT: 'The name of the model is of no known provider.' },

  async handle(data, { outside: { models }, settings }) {
    return await askToRewrite(data, { models, tokens: settings.runTokens });
  },
});
