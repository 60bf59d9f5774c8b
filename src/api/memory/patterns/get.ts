import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { memoryPattern } from '../../../shapes/memory/memory-insight.ts';
import { listPatterns } from '../../../store/memory/patterns.ts';

const MAX = 100;

export default read({
  path: '/v2/memory/patterns/get',
  auth: 'apiKey',
  summary: 'List patterns in the decisions of reviewers, latest first, at most 100.',
  description: 'Patterns are computed from judgments every hour, and by memory/consolidate.',
  data: z.object({}),
  result: z.array(memoryPattern),
  envelope: 'bare',
  message: '',

  async handle(_, { db, caller }) {
    return await listPatterns(db, caller, {}, MAX);
  },
});
