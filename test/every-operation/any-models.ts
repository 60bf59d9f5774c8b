import { z } from 'zod';
import { type Models, NO_USAGE } from '../../src/outside/models/models.ts';
import { build } from './bodies.ts';
import type { Schema } from './json-schema.ts';

/** Operations that only a model can do. */
const NEED_A_MODEL = [
  '/v2/agents/prompt/enhance',
  '/v2/agents/prompt/refine',
  '/v2/agents/prompt/validate',
  '/v2/memory/ask',
];

export const needsModel = (path: string): boolean => NEED_A_MODEL.includes(path);

/** Models that answer whatever fits the schema. */
export const anyModels: Models = {
  configured: { claude: true, openai: true, gemini: true },
  choose: () => ({ provider: 'claude', model: 'any' }),
  ask: async ({ schema }) => ({
    data: schema!.parse(
      build(
        z.toJSONSchema(schema!) as Schema,
        () => true,
        () => undefined,
      ),
    ),
    usage: NO_USAGE,
    llmModel: 'claude/any',
  }),
  close: async () => {},
};
