import { z } from 'zod';
import { type Models, NO_USAGE } from '../../src/outside/models/models.ts';
import { build } from './bodies.ts';
import type { Schema } from './json-schema.ts';

/** Operations that need a model. */
const NEED_A_MODEL = [
  '/v2/agents/prompt/enhance',
  '/v2/agents/prompt/refine',
  '/v2/agents/prompt/validate',
  '/v2/memory/ask',
  '/v2/rewriter/ask-ai',
];

export const needsModel = (path: string): boolean => NEED_A_MODEL.includes(path);

/** Models that answer with any value that fits the schema, or with text if there is no schema. */
export const anyModels: Models = {
  configured: { claude: true, openai: true, gemini: true },
  choose: () => ({ provider: 'claude', model: 'any' }),
  ask: async ({ schema }) => ({
    data: (schema
      ? schema.parse(
          build(
            z.toJSONSchema(schema) as Schema,
            () => true,
            () => undefined,
          ),
        )
      : 'Text') as never,
    usage: NO_USAGE,
    llmModel: 'claude/any',
  }),
  close: async () => {},
};
