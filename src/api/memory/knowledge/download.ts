import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { knowledgeBodyBytes, sourceId } from '../../../shapes/memory/knowledge.ts';
import { knowledgeText } from '../../../store/knowledge/knowledge-sources.ts';

export default read({
  path: '/v2/memory/knowledge/download',
  auth: 'apiKey',
  summary: 'Get the text of a knowledge source.',
  description:
    'The text is Markdown, with each sheet of a workbook as a table. It is null for an unknown source and one that is not processed yet.',
  data: z.object({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.string().nullable(),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,

  handle: async ({ sourceId }, { caller, db }) => (await knowledgeText(db, caller, sourceId)) ?? null,
});
