import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { askToRewrite } from '../../review/authoring/ask-to-rewrite.ts';
import { promptText } from '../../shapes/agents/prompt.ts';

export default call({
  path: '/v2/rewriter/ask-ai',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Process a text with a language model.',
  description:
    'The model name determines the provider: `gpt-`, `o1-`, `o3-` and `o4-` for OpenAI, `claude-` for Anthropic, `gemini-` for Google. If the model does not answer, the HTTP status is 200 and `error` contains the reason.',
  data: z
    .object({
      model: z.string().min(1).max(200),
      prompt: promptText.describe('Instruction for the model.'),
      text: z
        .string()
        .regex(/\S/, { error: 'must not be empty' })
        .max(200_000)
        .describe('The text to process.'),
    })
    .meta({ examples: [{ model: 'gpt-5.6-luna', prompt: 'Make it shorter.', text: 'It is rather long.' }] }),
  result: z.union([
    z.object({ success: z.literal(true), text: z.string() }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
  envelope: 'bare',
  message: '',
  failures: { INVALID_ARGUMENT: 'The model name belongs to no known provider.' },

  async handle(data, { outside: { models }, settings }) {
    return await askToRewrite(data, { models, tokens: settings.runTokens });
  },
});
