import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { ONLY_RULES, updateRules } from '../../../memory/knowledge/change-rules.ts';
import { knowledgeBodyBytes, sourceId } from '../../../shapes/memory/knowledge.ts';

const MAX_CHARS = 1_000_000;

export default call({
  path: '/v2/memory/knowledge/update',
  auth: 'apiKey',
  summary: 'Replace the rules of a knowledge source.',
  description:
    'Takes a list of rules as Markdown, with bullets, numbers or boxes, or as a table, or else one rule a line. Rules that stay keep their ids. What the source shares with others of the same file changes for them too; its parts are not made anew.',
  data: z
    .object({
      sourceId,
      newContent: z.string().max(MAX_CHARS).regex(/\S/, { error: 'must not be empty' }),
    })
    .meta({
      examples: [
        {
          sourceId: 'src_1a2B3cD4eF5gH6jK7mN8',
          newContent: '- Always use the Oxford comma.\n- Write dates as 2 May 2027.\n',
        },
      ],
    }),
  result: z.object({
    diff: z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      unchanged: z.number(),
    }),
    newVersion: z.number(),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  failures: {
    NOT_FOUND: 'There is no such source.',
    FAILED_PRECONDITION: ONLY_RULES,
    ABORTED: 'The source was changed at the same time.',
  },

  handle: ({ sourceId, newContent }, context) => updateRules(context, context.caller, sourceId, newContent),
});
