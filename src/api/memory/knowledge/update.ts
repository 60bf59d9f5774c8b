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
    'Accepts Markdown: a list with bullets, numbers or checkboxes, a table, or one rule per line. Unchanged rules keep their ids. The change also applies to sources that share the content of the same file; searchable text parts are not updated.',
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
    NOT_FOUND: 'The knowledge source does not exist.',
    FAILED_PRECONDITION: ONLY_RULES,
    ABORTED: 'The source was changed at the same time.',
  },

  handle: ({ sourceId, newContent }, context) => updateRules(context, context.caller, sourceId, newContent),
});
