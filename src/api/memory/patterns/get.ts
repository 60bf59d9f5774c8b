import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { memoryPattern } from '../../../shapes/memory/memory-insight.ts';
import { listPatterns } from '../../../store/memory/patterns.ts';

const MOST = 100;

export default read({
  path: '/v2/memory/patterns/get',
  auth: 'apiKey',
  summary: 'List what reviewers decide alike, the latest first, at most 100.',
  description: 'Patterns are worked out from judgments every hour, or by memory/consolidate.',
  data: z.object({}),
  result: z.array(memoryPattern),
  envelope: 'bare',
  message: '',

  async handle(_, { db, caller }) {
    return await listPatterns(db, caller, {}, MOST);
  },
});
