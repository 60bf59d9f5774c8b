import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { countKnowledgeSources } from '../../../store/knowledge/knowledge-sources.ts';
import { countUpTo } from '../../../store/memory/insight-queries.ts';
import { countPatterns } from '../../../store/memory/patterns.ts';
import { countProfiles } from '../../../store/memory/profiles.ts';

const MAX = { activities: 10_000, profiles: 500, patterns: 100 };

export default read({
  path: '/v2/memory/stats/get',
  auth: 'apiKey',
  summary: 'Get the numbers of judgments, patterns, profiles and knowledge sources in the memory.',
  description:
    'A number that has reached its limit stands for that many or more; knowledge sources are counted in full. The numbers cover the whole API key.',
  data: z.object({}),
  result: z.object({
    totalActivities: z.number().describe(`Number of judgments, at most ${MAX.activities}.`),
    totalProfiles: z.number().describe(`At most ${MAX.profiles}.`),
    totalPatterns: z.number().describe(`At most ${MAX.patterns}.`),
    totalKnowledgeSources: z.number(),
  }),
  envelope: 'bare',
  message: '',

  async handle(_, { db, caller }) {
    const [totalActivities, totalProfiles, totalPatterns, totalKnowledgeSources] = await Promise.all([
      countUpTo(db, caller, MAX.activities),
      countProfiles(db, caller, MAX.profiles),
      countPatterns(db, caller, MAX.patterns),
      countKnowledgeSources(db, caller),
    ]);
    return { totalActivities, totalProfiles, totalPatterns, totalKnowledgeSources };
  },
});
